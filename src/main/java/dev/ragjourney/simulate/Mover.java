package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import java.util.Optional;

/** Who moves the caps. */
public enum Mover {
  /** Nobody: the declared caps. */
  STATIC("Static"),
  /** Nobody: every cap is the whole budget. */
  NO_CAPS("NoCaps"),
  /** The plain rule, told only of calls that gave a result. */
  P95_SUCCESSES_ONLY("P95SuccessesOnly"),
  /** The plain rule. */
  P95_HEADROOM("P95Headroom"),
  /** The rule that looks for the most full answers. */
  MAX_QUALITY("MaxQuality"),
  /** Who knows the laws. */
  OPTIMUM("Optimum");

  private final String label;

  Mover(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** What decides after each window; empty where nothing does. */
  Optional<Rule> rule() {
    return switch (this) {
      case STATIC, NO_CAPS, OPTIMUM -> Optional.empty();
      case P95_SUCCESSES_ONLY, P95_HEADROOM -> Optional.of(Rule.P95_HEADROOM);
      case MAX_QUALITY -> Optional.of(Rule.MAX_QUALITY);
    };
  }

  JourneyBudget start(JourneyBudget declared) {
    return this == NO_CAPS ? withoutCaps(declared) : declared;
  }

  /** Floors stay: only the stages' own limits go. */
  private static JourneyBudget withoutCaps(JourneyBudget budget) {
    return budget.withStages(
        budget.stages().stream()
            .map(stage -> stage.cap() == null ? stage : stage.withCap(budget.total()))
            .toList());
  }
}
