package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param leftOut what journeys leave out though they have the time for it; null for nothing
 */
public record JourneyBudget(
    Duration total,
    CountTo countTo,
    Duration reserve,
    Duration lastTokenMargin,
    Duration streamIdle,
    Duration streamMax,
    List<StageBudget> stages,
    List<FallbackLevel> levels,
    @Nullable LeftOut leftOut) {
  public JourneyBudget {
    stages = List.copyOf(stages);
    levels = List.copyOf(levels);
  }

  /** Nothing is left out. */
  public JourneyBudget(
      Duration total,
      CountTo countTo,
      Duration reserve,
      Duration lastTokenMargin,
      Duration streamIdle,
      Duration streamMax,
      List<StageBudget> stages,
      List<FallbackLevel> levels) {
    this(total, countTo, reserve, lastTokenMargin, streamIdle, streamMax, stages, levels, null);
  }

  /** The same budget with other stages. */
  public JourneyBudget withStages(List<StageBudget> newStages) {
    return with(newStages, leftOut);
  }

  /** The same budget with this left out and nothing else. */
  public JourneyBudget leaving(LeftOut newLeftOut) {
    return with(stages, newLeftOut.nothing() ? null : newLeftOut);
  }

  private JourneyBudget with(List<StageBudget> newStages, @Nullable LeftOut newLeftOut) {
    return new JourneyBudget(
        total,
        countTo,
        reserve,
        lastTokenMargin,
        streamIdle,
        streamMax,
        newStages,
        levels,
        newLeftOut);
  }

  /** What journeys leave out. */
  public LeftOut leaves() {
    return leftOut == null ? LeftOut.NOTHING : leftOut;
  }

  /** The index of the level that journeys begin at. */
  public int startLevel() {
    for (int level = 0; level < levels.size(); level++) {
      if (levels.get(level).name().equals(leaves().startLevel())) {
        return level;
      }
    }
    return 0;
  }
}
