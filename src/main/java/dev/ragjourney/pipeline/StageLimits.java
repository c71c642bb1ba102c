package dev.ragjourney.pipeline;

import dev.ragjourney.budget.BreakerBudget;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the journeys of one pod share about a stage, so that helping it does not multiply its load.
 *
 * @param fallbacks share of the calls that may fall back; null for a stage without a fallback
 * @param retries share of the calls that may be tried again; null for a stage without retries
 * @param hedges how many calls may have a second copy; null for a stage without hedges
 * @param breakers by the backend's name; empty for a stage without breaker
 * @param late which calls go on after their cut; null for none
 */
record StageLimits(
    @Nullable RatioLimit fallbacks,
    @Nullable RatioLimit retries,
    @Nullable HedgeLimit hedges,
    Map<String, Breaker> breakers,
    @Nullable LateSampling late) {

  /**
   * @param learns what pods do only to learn
   * @param before of the same stage in the plan before, whose counts live on where the settings are
   *     the same; null for none
   */
  static StageLimits of(
      StageBudget stage,
      StageRoute route,
      LearningPolicy learns,
      MonotonicTime time,
      @Nullable StageLimits before) {
    FallbackBudget fallback = stage.fallback();
    RetryBudget retry = stage.retry();
    HedgeBudget hedge = stage.hedge();
    return new StageLimits(
        fallback == null
            ? null
            : RatioLimit.of(fallback.maxRatio(), before == null ? null : before.fallbacks),
        retry == null
            ? null
            : RatioLimit.of(retry.maxRatio(), before == null ? null : before.retries),
        hedge == null ? null : HedgeLimit.of(hedge, before == null ? null : before.hedges),
        breakers(stage.breaker(), route, time, before),
        learns.samples(stage)
            ? LateSampling.of(learns.lateShare(), before == null ? null : before.late)
            : null);
  }

  /** A fallback has none: it is what remains when the breaker is open. */
  private static Map<String, Breaker> breakers(
      @Nullable BreakerBudget budget,
      StageRoute route,
      MonotonicTime time,
      @Nullable StageLimits before) {
    if (budget == null) {
      return Map.of();
    }
    Map<String, Breaker> breakers = new HashMap<>();
    for (StageForm form : route.formByLevel()) {
      Breaker old = before == null ? null : before.breakers.get(form.backend());
      breakers.putIfAbsent(form.backend(), Breaker.of(budget, time, old));
    }
    return Map.copyOf(breakers);
  }
}
