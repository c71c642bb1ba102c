package dev.ragjourney.server;

/**
 * How many journeys a pod takes at once. What bounds it is the processors: a call that computes
 * takes its own time when they are free, and longer by the share of the others when they are not.
 * Remote calls do not count, however slow: a slow model is no reason to take fewer questions.
 */
final class LimitRule {
  /** Calls take twice their own time: the processors are busy, and more would only wait. */
  private static final double MOST_STRETCH = 2;

  /** Below that a call's stretch is the cost of starting a thread. */
  private static final long LEAST_ADDED_NANOS = 2_000_000;

  private static final double SMALLEST_CUT = 0.5;
  private static final double GENTLEST_CUT = 0.95;

  /** A limit that is hardly used says nothing about what could be. */
  private static final double USED = 0.75;

  private LimitRule() {}

  /**
   * What was seen lately.
   *
   * @param calls that computed
   * @param wallNanos of all of them
   * @param cpuNanos of all of them
   * @param peak the most journeys at once
   */
  record Window(int calls, long wallNanos, long cpuNanos, int peak) {
    double stretch() {
      return (double) wallNanos / Math.max(1, cpuNanos);
    }

    boolean saturated() {
      return calls > 0
          && stretch() > MOST_STRETCH
          && (wallNanos - cpuNanos) / calls > LEAST_ADDED_NANOS;
    }
  }

  /**
   * Saturated: what was really on its way × (2 / stretch), at least half and at most 95 % of it.
   * Else, where it was used: a twentieth more, at least one.
   *
   * @param most declared
   * @param least never fewer
   */
  static int next(int limit, Window window, int least, int most) {
    int used = Math.min(limit, window.peak());
    if (window.saturated()) {
      double cut = Math.clamp(MOST_STRETCH / window.stretch(), SMALLEST_CUT, GENTLEST_CUT);
      return Math.max(Math.min(least, most), (int) (used * cut));
    }
    if (used >= limit * USED) {
      return Math.min(most, limit + Math.max(1, limit / 20));
    }
    return limit;
  }
}
