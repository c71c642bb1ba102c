package dev.ragjourney.pipeline;

import dev.ragjourney.budget.RetryBudget;

/**
 * Whether another attempt is made, and when. Asked anew after every failure with what is left then:
 * a plan made before the first attempt would be wrong after a slow one.
 *
 * @param budget of the stage
 * @param minUsefulNanos an attempt with less is not worth its start
 * @param cuts an attempt ends at its cap; false where the rules only watch
 */
record RetryRule(RetryBudget budget, long minUsefulNanos, boolean cuts) {
  /** What comes after a failed attempt. */
  sealed interface Next {
    /** Another attempt, after this wait. */
    record Again(long waitNanos) implements Next {}

    /** The failure is the stage's. */
    record Enough(Why why) implements Next {}
  }

  /** Why there is no further attempt. */
  enum Why {
    /** Another attempt would fail alike. */
    NOT_CURABLE,
    /** The declared attempts are used up. */
    NO_ATTEMPT_LEFT,
    /** The wait and a whole attempt do not fit in what is left. */
    NO_TIME
  }

  /** The cap of an attempt, the first being 0. */
  long capNanos(int attempt) {
    return budget.attemptCaps().get(attempt).toNanos();
  }

  /** The end of an attempt that starts now, if nothing ends it before. */
  long endNanos(int attempt, long nowNanos) {
    return nowNanos + (cuts ? capNanos(attempt) : Long.MAX_VALUE / 4);
  }

  /**
   * The wait is the drawn backoff, or what the backend asks for where that is longer.
   *
   * @param made attempts so far
   * @param leftNanos of the stage's allowance
   * @param draw 0 to 1, places the backoff between its shortest and its longest
   */
  Next after(Result.Failure<?> failure, int made, long leftNanos, double draw) {
    if (!failure.kind().retryable()) {
      return new Next.Enough(Why.NOT_CURABLE);
    }
    if (made >= budget.attemptCaps().size()) {
      return new Next.Enough(Why.NO_ATTEMPT_LEFT);
    }
    long shortest = budget.backoffMin().toNanos();
    long spread = Math.max(0, budget.backoffMax().toNanos() - shortest);
    long wait = Math.max(shortest + (long) (spread * draw), failure.retryAfterNanos());
    // Compared without a sum: a backend may ask for days.
    return wait > leftNanos - Math.max(capNanos(made), minUsefulNanos)
        ? new Next.Enough(Why.NO_TIME)
        : new Next.Again(wait);
  }

  /** After the wait, which may have been longer than planned. */
  boolean stillUseful(long leftNanos) {
    return leftNanos >= minUsefulNanos;
  }
}
