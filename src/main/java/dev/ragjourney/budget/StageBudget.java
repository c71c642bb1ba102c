package dev.ragjourney.budget;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time one stage may have.
 *
 * @param name unique within the journey
 * @param type what the stage does
 * @param optional an overrun or a failure skips the stage instead of failing the journey
 * @param group stages with the same group run side by side; null runs alone
 * @param cap the cap in force (rebalanced or declared); null for a stage that gets what remains
 * @param declaredCap the cap of the resource, from which thresholds are computed; null like cap
 * @param floor the time the stages before this one leave to it; zero leaves it the expected median
 * @param holdBack what this stage leaves to those after it at the first level, beside the reserve;
 *     never less than their floors, which hold where it is null
 * @param expectedP50 the median to use while nothing is measured; null if not known
 * @param expectedP95 the 95th percentile to use while nothing is measured; null if not known
 * @param degradeAfter fail-over at the latest here, from the stage's start; null for expectedP95,
 *     and for the cap where that is not known either
 * @param minUseful an allowance below this does not start the stage
 * @param fallback the time of the stage's fallback; null where it has none
 * @param retry explicit retries; null for one attempt
 * @param hedge a second copy of a slow call; null for none
 * @param breaker when the stage's backend is left alone; null for never
 */
public record StageBudget(
    String name,
    StageType type,
    boolean optional,
    @Nullable String group,
    @Nullable Duration cap,
    @Nullable Duration declaredCap,
    Duration floor,
    @Nullable Duration holdBack,
    @Nullable Duration expectedP50,
    @Nullable Duration expectedP95,
    @Nullable Duration degradeAfter,
    Duration minUseful,
    @Nullable FallbackBudget fallback,
    @Nullable RetryBudget retry,
    @Nullable HedgeBudget hedge,
    @Nullable BreakerBudget breaker) {

  /** The same stage with another cap in force. */
  public StageBudget withCap(Duration newCap) {
    return with(newCap, holdBack);
  }

  /**
   * The same stage with another hold-back in force.
   *
   * @param newHoldBack null for the floors of the stages after it
   */
  public StageBudget withHoldBack(@Nullable Duration newHoldBack) {
    return with(cap, newHoldBack);
  }

  private StageBudget with(@Nullable Duration newCap, @Nullable Duration newHoldBack) {
    return new StageBudget(
        name,
        type,
        optional,
        group,
        newCap,
        declaredCap,
        floor,
        newHoldBack,
        expectedP50,
        expectedP95,
        degradeAfter,
        minUseful,
        fallback,
        retry,
        hedge,
        breaker);
  }
}
