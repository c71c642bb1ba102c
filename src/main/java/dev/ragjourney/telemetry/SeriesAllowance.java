package dev.ragjourney.telemetry;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many more time series this pod may show. A series that is refused is counted, so that a
 * missing figure is never mistaken for a zero.
 */
final class SeriesAllowance {
  private final int limit;
  private final AtomicInteger used = new AtomicInteger();
  private final LongAdder dropped;

  /**
   * @param dropped counts the observations that found no room
   */
  SeriesAllowance(int limit, LongAdder dropped) {
    this.limit = limit;
    this.dropped = dropped;
  }

  /** Takes all of them or none. */
  boolean take(int series) {
    int before = used.getAndUpdate(now -> now + series <= limit ? now + series : now);
    return before + series <= limit;
  }

  void giveBack(int series) {
    used.addAndGet(-series);
  }

  /** One observation found no series to go to. */
  void dropped() {
    dropped.increment();
  }
}
