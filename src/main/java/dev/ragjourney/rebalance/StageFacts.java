package dev.ragjourney.rebalance;

import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a round knows of one stage.
 *
 * @param current the calls under the cap in force
 * @param window the whole window's calls, for what is shown while there are none of those
 */
record StageFacts(StageBudget stage, StageSample current, StageSample window) {
  /** From this share of calls cut at the cap on the 95th percentile lies above the cap. */
  static final double CUT_AT_CAP = 0.05;

  /** A stage that starts in a smaller share of the journeys neither gives nor receives. */
  private static final double MOSTLY_STARTED = 0.5;

  static StageFacts of(StageBudget stage, Slices slices) {
    return new StageFacts(stage, slices.underCapInForce(stage), slices.wholeWindow(stage));
  }

  StageSample judged() {
    return current.journeys() > 0 ? current : window;
  }

  boolean setAside() {
    return judged().journeys() > 0 && judged().notStartedRatio() > MOSTLY_STARTED;
  }

  LifeTable law() {
    return judged().law(stage.cap());
  }

  boolean cutAtCap() {
    return judged().capCutRatio() >= CUT_AT_CAP;
  }

  @Nullable Duration p50() {
    return quantile(0.5);
  }

  /** Null where too many calls were cut to know it. */
  @Nullable Duration p95() {
    return cutAtCap() ? null : quantile(0.95);
  }

  /** A lower bound of an unknown 95th percentile. */
  @Nullable Duration p95AtLeast() {
    if (p95() != null || judged().timed() <= 0) {
      return null;
    }
    double known = law().knownUpTo();
    return known > 0 ? Seconds.toDuration(known) : null;
  }

  private @Nullable Duration quantile(double share) {
    OptionalDouble seconds = law().quantile(share);
    return seconds.isPresent() ? Seconds.toDuration(seconds.getAsDouble()) : null;
  }
}
