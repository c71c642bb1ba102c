package dev.ragjourney.rebalance;

import java.util.List;

/**
 * What one journey's pods measured in the window of a round.
 *
 * @param slices oldest first, each one interval long; a slice without any series is absent
 */
public record JourneyWindow(List<WindowSlice> slices) {
  public JourneyWindow {
    slices = List.copyOf(slices);
  }
}
