package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;

/**
 * Explicit retries of a stage.
 *
 * @param attemptCaps the cap of every attempt; the number of attempts is the list's length
 * @param backoffMin the shortest wait between attempts
 * @param backoffMax the longest wait between attempts
 * @param maxRatio share of the stage's calls that may be tried again, 0 to 1
 */
public record RetryBudget(
    List<Duration> attemptCaps, Duration backoffMin, Duration backoffMax, double maxRatio) {
  public RetryBudget {
    attemptCaps = List.copyOf(attemptCaps);
    if (attemptCaps.isEmpty()) {
      throw new IllegalArgumentException("A stage has one attempt at least.");
    }
  }

  /** The first attempt alone. */
  public RetryBudget once() {
    return new RetryBudget(attemptCaps.subList(0, 1), backoffMin, backoffMax, maxRatio);
  }
}
