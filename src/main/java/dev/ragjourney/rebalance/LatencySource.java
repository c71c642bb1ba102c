package dev.ragjourney.rebalance;

import java.time.Duration;
import java.time.Instant;

/** Where the latencies of all journeys come from. */
public interface LatencySource {
  /**
   * Reads what all journeys measured in the window that ends now. Blocks for a bounded time and
   * never throws for a source that is away: that is a {@link LatencyReading.Unavailable}.
   *
   * @param now the end of the window
   * @param window how far back it reaches
   * @param interval the length of the slices it comes in
   */
  LatencyReading read(Instant now, Duration window, Duration interval);
}
