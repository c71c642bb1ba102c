package dev.ragjourney.rebalance;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one journey's pods measured in the window of a round.
 *
 * @param slices oldest first, each one interval long; a slice without any series is absent
 * @param scraped time of the newest sample; null where the source cannot tell
 */
public record JourneyWindow(List<WindowSlice> slices, @Nullable Instant scraped) {
  public JourneyWindow {
    slices = List.copyOf(slices);
  }

  /** Of a source that does not tell how old its samples are. */
  public JourneyWindow(List<WindowSlice> slices) {
    this(slices, null);
  }
}
