package dev.ragjourney.crd;

import static dev.ragjourney.budget.Durations.format;

import dev.ragjourney.crd.spec.MaxStepSpec;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.RebalanceSpec;
import java.time.Duration;

/** Rebalancing, and what else is about running a journey. */
final class OperationRules {
  static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofHours(24);

  private OperationRules() {}

  static void check(RagJourneySpec spec, Findings findings) {
    if (spec.rebalance() != null) {
      rebalance(spec.rebalance(), findings);
    }
    if (spec.workload() != null) {
      WorkloadRules.check(spec.workload(), findings);
    }
  }

  private static void rebalance(RebalanceSpec rebalance, Findings findings) {
    Duration interval = RebalanceAssembly.interval(rebalance);
    inRange("spec.rebalance.interval", interval, SHORTEST_INTERVAL, findings);
    inRange("spec.rebalance.window", RebalanceAssembly.window(rebalance), interval, findings);
    inRange(
        "spec.rebalance.cooldown", RebalanceAssembly.cooldown(rebalance), Duration.ZERO, findings);
    MaxStepSpec step = rebalance.maxStep();
    if (step != null) {
      if (step.up() != null && Values.share(step.up(), 0) <= 0) {
        findings.invalid(
            "spec.rebalance.maxStep.up",
            "'%s' lets no cap rise; write a share above 0%%, or mode: Recommend."
                .formatted(step.up()));
      }
      double down = Values.share(step.down(), RebalanceAssembly.MAX_STEP_DOWN);
      if (down <= 0 || down >= 1) {
        findings.invalid(
            "spec.rebalance.maxStep.down",
            "'%s' is out of range; a share above 0%% and below 100%% is right."
                .formatted(step.down()));
      }
    }
  }

  private static void inRange(String path, Duration value, Duration least, Findings findings) {
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      findings.invalid(
          path,
          "%s is out of range; from %s to %s is right."
              .formatted(format(value), format(least), format(LONGEST)));
    }
  }
}
