package dev.ragjourney.budget;

import org.jspecify.annotations.Nullable;

/**
 * One journey's end, made once at arrival.
 *
 * @param arrivalNanos on a monotonic clock
 * @param totalNanos total' = min(total, what the caller has left)
 * @param k total' / total, 0 to 1: reserve, margins and floors shrink by it; 1 leaves them exact
 * @param callers the caller's deadline is the smaller one
 */
public record Deadline(long arrivalNanos, long totalNanos, double k, boolean callers) {

  /**
   * @param callerRemainingNanos what the caller said is left at arrival; null if it said nothing
   */
  public static Deadline of(
      long arrivalNanos, long totalNanos, @Nullable Long callerRemainingNanos) {
    if (callerRemainingNanos == null || callerRemainingNanos >= totalNanos) {
      return new Deadline(arrivalNanos, totalNanos, 1, false);
    }
    long shorter = Math.max(0, callerRemainingNanos);
    return new Deadline(arrivalNanos, shorter, (double) shorter / totalNanos, true);
  }

  /** The moment at which the budget is spent. */
  public long atNanos() {
    return arrivalNanos + totalNanos;
  }

  /** remaining(t) = total' − (t − arrival); negative once the budget is spent. */
  public long remaining(long nowNanos) {
    return totalNanos - (nowNanos - arrivalNanos);
  }
}
