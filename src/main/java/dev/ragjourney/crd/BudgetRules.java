package dev.ragjourney.crd;

import static dev.ragjourney.budget.Durations.format;

import dev.ragjourney.crd.spec.BudgetSpec;
import java.time.Duration;

/** The journey's own times against each other. */
final class BudgetRules {
  static final Duration MIN_TOTAL = Duration.ofMillis(50);
  static final Duration MAX_TOTAL = Duration.ofMinutes(10);

  private BudgetRules() {}

  static void check(BudgetSpec budget, Findings findings) {
    Duration total = total(budget);
    if (total.compareTo(MIN_TOTAL) < 0 || total.compareTo(MAX_TOTAL) > 0) {
      findings.invalid(
          "spec.budget.total",
          "%s is out of range; from %s to %s is right."
              .formatted(budget.total(), format(MIN_TOTAL), format(MAX_TOTAL)));
    }
    Defaults defaults = new Defaults(total);
    Duration reserve = Values.duration(budget.reserve(), defaults.reserve());
    if (reserve.compareTo(total) >= 0) {
      findings.conflict(
          "spec.budget.reserve",
          "reserve %s leaves nothing of total %s; it must be below total."
              .formatted(format(reserve), format(total)));
    }
    Duration margin = Values.duration(budget.lastTokenMargin(), defaults.lastTokenMargin());
    if (margin.compareTo(total) >= 0) {
      findings.conflict(
          "spec.budget.lastTokenMargin",
          "lastTokenMargin %s leaves nothing of total %s; it must be below total."
              .formatted(format(margin), format(total)));
    }
    Duration idle = Values.duration(budget.streamIdle(), Defaults.STREAM_IDLE);
    Duration longest = Values.duration(budget.streamMax(), Defaults.STREAM_MAX);
    if (idle.compareTo(longest) > 0) {
      findings.conflict(
          "spec.budget.streamIdle",
          "streamIdle %s is above streamMax %s; a stream cannot be silent longer than it lasts."
              .formatted(format(idle), format(longest)));
    }
  }

  static Duration total(BudgetSpec budget) {
    return Values.duration(budget.total(), Duration.ZERO);
  }
}
