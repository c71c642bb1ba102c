package dev.ragjourney.operator.status;

import dev.ragjourney.crd.status.JourneyStatus;
import dev.ragjourney.rebalance.Forecasts;
import org.jspecify.annotations.Nullable;

/**
 * Which stage costs the full answers, and what would buy them back. Nobody is named where next to
 * nothing is lost, and of two that cost about the same the one that is shown stays.
 */
final class AttributionFold {
  /** Share of answers that are not full, above which a stage is named. */
  private static final double MUCH = 0.01;

  /** Down to this one it stays. */
  private static final double LITTLE = 0.005;

  /** A stage that costs this share of what the costliest does stays named. */
  private static final double ABOUT_THE_SAME = 0.8;

  private AttributionFold() {}

  static @Nullable String stage(JourneyStatus shown, @Nullable Forecasts forecasts) {
    String before = shown.costliestStage();
    String now = forecasts == null ? null : forecasts.costliestStage();
    if (forecasts == null
        || now == null
        || 1 - forecasts.inForce().full() < (before == null ? MUCH : LITTLE)) {
      return null;
    }
    double least = ABOUT_THE_SAME * cost(forecasts, now);
    return before != null && cost(forecasts, before) >= least ? before : now;
  }

  /**
   * Of the stage that is named; what is shown of it stays where another one would be the remedy.
   */
  static @Nullable String remedy(JourneyStatus shown, @Nullable Forecasts forecasts) {
    String named = stage(shown, forecasts);
    String remedy = forecasts == null ? null : forecasts.remedy();
    if (forecasts == null || named == null || remedy == null) {
      return null;
    }
    return named.equals(forecasts.costliestStage())
        ? Steady.message(shown.remedy(), remedy, Steady.POINT)
        : shown.remedy();
  }

  private static double cost(Forecasts forecasts, String stage) {
    return forecasts.costs().getOrDefault(stage, 0.0);
  }
}
