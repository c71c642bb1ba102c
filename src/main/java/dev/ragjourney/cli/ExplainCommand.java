package dev.ragjourney.cli;

import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.Rebalancer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Why the caps are what they are. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Says why each cap of a journey is what it is, what it gives, and what each rule would do",
      "next. With a Prometheus the figures are of now, else those that the operator wrote down.",
      "Exit code 0: explained; 2: the journey or its spec cannot be read."
    })
final class ExplainCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private JourneyOptions journey = new JourneyOptions();
  @Mixin private PrometheusOptions prometheus = new PrometheusOptions();
  @Mixin private OutputOption output = new OutputOption();

  ExplainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    LoadedJourney loaded = journey.load(surroundings);
    PrometheusSettings settings =
        prometheus.settings(surroundings.environment(), loaded.id().name());
    Explanation explanation = explain(loaded, settings);
    output.print(Commands.out(spec), ExplanationText.of(explanation), explanation);
    return ExitCodes.FINE;
  }

  private Explanation explain(LoadedJourney loaded, @Nullable PrometheusSettings settings) {
    Explaining explaining = new Explaining(loaded);
    if (settings == null) {
      return explaining.fromStatus("with --prometheus URL they are of now");
    }
    RebalancePolicy policy = loaded.parsed().rebalance();
    Instant now = surroundings.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    LiveReading live =
        LiveReading.read(settings, loaded.id(), now, policy.window(), policy.interval());
    if (live.reading() instanceof LatencyReading.Unavailable(String reason, String message)) {
      return explaining.fromStatus("Prometheus gives none, %s: %s".formatted(reason, message));
    }
    RebalanceDecision decision =
        Rebalancer.decide(loaded.round(loaded.inForce(), policy, live.reading(), now));
    return explaining.live(decision, live.about());
  }
}
