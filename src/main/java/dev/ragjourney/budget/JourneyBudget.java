package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;

/**
 * The whole budget of a journey: every default resolved, nothing measured.
 *
 * @param total how long the user is willing to wait, counted from arrival
 * @param countTo the moment to which the total is counted
 * @param reserve held back at every stage for assembly, serialization and clock skew
 * @param lastTokenMargin last-token mode: reading stops this long before the deadline
 * @param streamIdle a started stream may be silent this long
 * @param streamMax a started stream may last this long in all
 * @param stages in the order in which they run
 * @param levels best first, the last one static
 */
public record JourneyBudget(
    Duration total,
    CountTo countTo,
    Duration reserve,
    Duration lastTokenMargin,
    Duration streamIdle,
    Duration streamMax,
    List<StageBudget> stages,
    List<FallbackLevel> levels) {
  public JourneyBudget {
    stages = List.copyOf(stages);
    levels = List.copyOf(levels);
  }

  /** The same budget with other stages. */
  public JourneyBudget withStages(List<StageBudget> newStages) {
    return new JourneyBudget(
        total, countTo, reserve, lastTokenMargin, streamIdle, streamMax, newStages, levels);
  }
}
