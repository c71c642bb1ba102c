package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;

/**
 * Explicit retries of a stage.
 *
 * @param attemptCaps the cap of every attempt; the number of attempts is the list's length
 * @param backoffMin the shortest wait between attempts
 * @param backoffMax the longest wait between attempts
 */
public record RetryBudget(List<Duration> attemptCaps, Duration backoffMin, Duration backoffMax) {
  public RetryBudget {
    attemptCaps = List.copyOf(attemptCaps);
  }
}
