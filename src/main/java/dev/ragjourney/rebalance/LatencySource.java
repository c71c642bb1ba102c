package dev.ragjourney.rebalance;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Where the latencies of journeys come from. */
public interface LatencySource {
  /**
   * Reads what journeys measured in the window that ends now. Blocks for a bounded time and never
   * throws for a source that is away: that is a {@link LatencyReading.Unavailable}.
   *
   * @param now the end of the window
   * @param window how far back it reaches
   * @param interval the length of the slices it comes in
   * @param journeys whose latencies are wanted
   */
  LatencyReading read(Instant now, Duration window, Duration interval, Set<JourneyId> journeys);
}
