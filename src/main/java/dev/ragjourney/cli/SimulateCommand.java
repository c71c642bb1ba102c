package dev.ragjourney.cli;

import dev.ragjourney.simulate.Simulation;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What each rule would have made of a scenario. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a scenario of latencies on a virtual clock, for each way of moving the caps, against",
      "the best settings that there are.",
      "Exit code 0: it ran; 2: the scenario cannot be read, and everything that is wrong is told."
    })
final class SimulateCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private OutputOption output = new OutputOption();

  @Parameters(paramLabel = "FILE", description = "a scenario in YAML or JSON")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    ScenarioFile scenario = ScenarioFile.read(file);
    SimulationReport report = new SimulationReport(scenario, Simulation.run(scenario.scenario()));
    output.print(Commands.out(spec), report.text(), report.json());
    return ExitCodes.FINE;
  }
}
