package dev.ragjourney.cli;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.crd.RawSpecReader;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.prometheus.PrometheusSettings;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import dev.ragjourney.rebalance.WhatIf;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What other settings would give. */
@Command(
    name = "what-if",
    mixinStandardHelpOptions = true,
    description = {
      "Forecasts what another budget, other caps, another rule or a faster stage would give, on the",
      "latencies that Prometheus knows. Nothing is changed.",
      "Exit code 0: forecast; 1: the changed spec would be refused, or too little is measured;",
      "2: the journey or Prometheus cannot be read."
    })
final class WhatIfCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private JourneyOptions journey = new JourneyOptions();
  @Mixin private WhatIfOptions options = new WhatIfOptions();
  @Mixin private PrometheusOptions prometheus = new PrometheusOptions();
  @Mixin private OutputOption output = new OutputOption();

  WhatIfCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    if (options.none()) {
      throw new CommandFailedException(
          "say what would be different: --total, --cap, --hold-back, --rule, --miss-ratio or"
              + " --faster");
    }
    LoadedJourney loaded = journey.load(surroundings);
    ParsedJourney parsed = loaded.parsed();
    Reading edited =
        RawSpecReader.read(
            loaded.id().name(), options.edited(Objects.requireNonNull(loaded.spec())));
    if (!(edited instanceof Reading.Valid(var then))) {
      return no(edited);
    }
    PrometheusSettings settings =
        LiveReading.needed(prometheus.settings(surroundings.environment(), loaded.id().name()));
    RebalancePolicy policy = parsed.rebalance();
    Instant now = surroundings.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    JourneyBudget inForce = loaded.inForce();
    JourneyBudget budget = options.changed(options.changesTotal() ? then.budget() : inForce);
    WhatIf.Change change = new WhatIf.Change(budget, then.rebalance(), options.faster(inForce));
    LiveReading live =
        LiveReading.read(settings, loaded.id(), now, policy.window(), policy.interval());
    RebalanceInput input = loaded.round(inForce, policy, live.measured(), now);
    if (options.asksForRule() && then.rebalance().rule() == Rule.P95_HEADROOM) {
      checkAlone(then.rebalance());
    }
    return switch (WhatIf.of(input, change)) {
      case WhatIf.Answer.Unknown(String reason, String message) -> no(reason + ": " + message);
      case WhatIf.Answer.Foreseen foreseen -> {
        Foreseen answer = Foreseen.of(loaded, options, live.about(), foreseen, input, change);
        output.print(Commands.out(spec), ForeseenText.of(answer), answer);
        yield ExitCodes.FINE;
      }
    };
  }

  /** The plain rule judges what was measured under the caps in force, and nothing else. */
  private void checkAlone(RebalancePolicy policy) {
    if (options.changesStages() || options.changesTotal()) {
      throw new CommandFailedException(
          "rule %s judges calls under the caps in force, so it can be asked alone only; leave out"
                  .formatted(policy.rule().label())
              + " the other changes, or ask with --rule MaxQuality");
    }
  }

  private int no(Reading refused) {
    return no(
        switch (refused) {
          case Reading.Invalid(List<Finding> findings) ->
              findings.stream()
                  .map(finding -> finding.path() + ": " + finding.message())
                  .collect(Collectors.joining("\n  ", "the changed spec would be refused\n  ", ""));
          case Reading.Unreadable(String message) ->
              "the changed spec would be refused: " + message;
          case Reading.Valid _ -> throw new IllegalStateException("a valid spec is not refused");
        });
  }

  private int no(String why) {
    Commands.err(spec).println("what-if: " + why);
    return ExitCodes.NO;
  }
}
