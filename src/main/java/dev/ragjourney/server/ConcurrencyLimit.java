package dev.ragjourney.server;

import dev.ragjourney.pipeline.ComputingTimes;
import dev.ragjourney.pipeline.MonotonicTime;

/** The number of journeys at once: the declared one, or what the processors bear. */
public final class ConcurrencyLimit implements ComputingTimes {
  private static final long WINDOW_NANOS = 200_000_000;

  private final int most;
  private final int least;
  private final MonotonicTime time;
  private long windowStart;
  private int calls;
  private long wallNanos;
  private long cpuNanos;
  private int peak;
  private int inFlight;
  private volatile int limit;

  /**
   * @param most declared
   * @param processors of this machine; so many journeys are taken in any case
   */
  public ConcurrencyLimit(int most, int processors, MonotonicTime time) {
    this.most = most;
    this.least = Math.min(most, processors);
    this.time = time;
    this.limit = most;
    this.windowStart = time.nanos();
  }

  int current() {
    return limit;
  }

  synchronized void inFlight(int journeys) {
    inFlight = journeys;
    peak = Math.max(peak, journeys);
  }

  @Override
  public synchronized void computed(long wall, long cpu) {
    calls++;
    wallNanos += wall;
    cpuNanos += cpu;
    long now = time.nanos();
    if (now - windowStart >= WINDOW_NANOS) {
      limit =
          LimitRule.next(
              limit, new LimitRule.Window(calls, wallNanos, cpuNanos, peak), least, most);
      windowStart = now;
      calls = 0;
      wallNanos = 0;
      cpuNanos = 0;
      peak = inFlight;
    }
  }
}
