package dev.ragjourney.backends.azure;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** How long queries without the ranker took lately. */
final class PlainTimes {
  /** What they are taken to need before one was measured. */
  static final long UNMEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int KEPT = 32;

  private final long[] nanos = new long[KEPT];
  private int seen;

  synchronized void took(long elapsedNanos) {
    nanos[seen % KEPT] = elapsedNanos;
    // Counts on past the array's length, and stays clear of the end of the range.
    seen = seen == 2 * KEPT - 1 ? KEPT : seen + 1;
  }

  synchronized long medianNanos() {
    if (seen == 0) {
      return UNMEASURED_NANOS;
    }
    long[] sorted = Arrays.copyOf(nanos, Math.min(seen, KEPT));
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }
}
