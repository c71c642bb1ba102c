package dev.ragjourney.cli;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the operator would say of a manifest. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Says what the operator would say of a manifest, without a cluster: everything that is wrong",
      "with it, or the sum of its times.",
      "Exit code 0: accepted; 1: refused; 2: a file cannot be read."
    })
final class CheckCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "files of YAML or JSON documents; - is standard input")
  private List<String> files = List.of();

  CheckCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * What a check found.
   *
   * @param reason of the condition Feasible
   * @param sum the times by name; null where there is none to add up
   * @param plannedPath as a duration
   * @param slack as a duration; null where the planned path is longer than the total
   * @param findings none in a manifest that is accepted
   */
  record Checked(
      String file,
      String name,
      boolean accepted,
      String reason,
      @Nullable String sum,
      @Nullable String plannedPath,
      @Nullable String slack,
      List<Finding> findings) {
    static Checked refused(String file, String name, List<Finding> findings) {
      return new Checked(
          file, name, false, findings.getFirst().reason(), null, null, null, findings);
    }

    String text() {
      String lines =
          accepted
              ? "" + sum
              : findings.stream()
                  .map(finding -> finding.path() + ": " + finding.message())
                  .collect(Collectors.joining("\n"));
      return "%s: %s is %s: %s\n".formatted(file, name, accepted ? "accepted" : "refused", reason)
          + lines.indent(2);
    }
  }

  @Override
  public Integer call() {
    List<Checked> checked = new ArrayList<>();
    for (String file : files) {
      for (Manifest manifest : Manifest.read(file, surroundings.in())) {
        checked.add(check(file, manifest));
      }
    }
    String text = checked.stream().map(Checked::text).collect(Collectors.joining());
    output.print(Commands.out(spec), text, checked);
    return checked.stream().allMatch(Checked::accepted) ? ExitCodes.FINE : ExitCodes.NO;
  }

  private static Checked check(String file, Manifest manifest) {
    String name = manifest.name().isEmpty() ? "a RagJourney without a name" : manifest.name();
    if (!manifest.apiVersion().equals(RagJourney.API_VERSION)) {
      return Checked.refused(
          file,
          name,
          List.of(
              new Finding(
                  "apiVersion",
                  "UnknownVersion",
                  "'"
                      + manifest.apiVersion()
                      + "' is not known; "
                      + RagJourney.API_VERSION
                      + " is.")));
    }
    return switch (RawSpecReader.read(manifest.name(), manifest.spec())) {
      case Reading.Unreadable(String message) ->
          Checked.refused(file, name, List.of(new Finding("spec", "Unreadable", message)));
      case Reading.Invalid(List<Finding> findings) -> Checked.refused(file, name, findings);
      case Reading.Valid(var journey) -> accepted(file, name, Feasibility.check(journey.budget()));
    };
  }

  private static Checked accepted(String file, String name, Feasibility feasibility) {
    return switch (feasibility) {
      case Feasibility.Refused refused -> Checked.refused(file, name, refused.findings());
      case Feasibility.Fits fits ->
          new Checked(
              file,
              name,
              true,
              fits.reason(),
              fits.message(),
              Durations.formatRounded(fits.plannedPath()),
              Durations.formatRounded(fits.slack()),
              List.of());
      case Feasibility.ReliesOnDonation relies ->
          new Checked(
              file,
              name,
              true,
              relies.reason(),
              relies.message(),
              Durations.formatRounded(relies.plannedPath()),
              null,
              List.of());
    };
  }
}
