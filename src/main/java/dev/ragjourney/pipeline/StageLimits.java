package dev.ragjourney.pipeline;

import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import org.jspecify.annotations.Nullable;

/**
 * What the journeys of one pod share about a stage, so that helping it does not multiply its load.
 *
 * @param fallbacks share of the calls that may fall back; null for a stage without a fallback
 * @param retries share of the calls that may be tried again; null for a stage without retries
 */
record StageLimits(@Nullable RatioLimit fallbacks, @Nullable RatioLimit retries) {

  /**
   * @param before of the same stage in the plan before, whose counts live on where the settings are
   *     the same; null for none
   */
  static StageLimits of(StageBudget stage, @Nullable StageLimits before) {
    FallbackBudget fallback = stage.fallback();
    RetryBudget retry = stage.retry();
    return new StageLimits(
        fallback == null
            ? null
            : RatioLimit.of(fallback.maxRatio(), before == null ? null : before.fallbacks),
        retry == null
            ? null
            : RatioLimit.of(retry.maxRatio(), before == null ? null : before.retries));
  }
}
