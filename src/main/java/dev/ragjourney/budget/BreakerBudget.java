package dev.ragjourney.budget;

import java.time.Duration;

/**
 * When a stage's backend is left alone for a while.
 *
 * @param slowRatio share of the calls that were too slow that opens the breaker, above 0 to 1
 * @param errorRatio share of failed calls that opens the breaker, above 0 to 1
 * @param window calls that the shares are taken over; nothing opens before there were so many
 * @param probeAfter how long the breaker stays open before calls are let through to probe
 */
public record BreakerBudget(double slowRatio, double errorRatio, int window, Duration probeAfter) {
  public BreakerBudget {
    if (!(slowRatio > 0 && slowRatio <= 1 && errorRatio > 0 && errorRatio <= 1) || window < 1) {
      throw new IllegalArgumentException(
          "A breaker needs ratios above 0 to 1 and a window of 1 or more; found %s, %s and %d."
              .formatted(slowRatio, errorRatio, window));
    }
  }
}
