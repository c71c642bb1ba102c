package dev.ragjourney.rebalance;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * When each rung of the ladder last worked, as far as a window shows it.
 *
 * @param levels end of the newest slice with an answer of the level, by level name
 * @param fallbacks end of the newest slice in which the stage's fallback gave a result, by stage
 */
public record Rungs(Map<String, Instant> levels, Map<String, Instant> fallbacks) {
  public static final Rungs NONE = new Rungs(Map.of(), Map.of());

  public Rungs {
    levels = Map.copyOf(levels);
    fallbacks = Map.copyOf(fallbacks);
  }

  public static Rungs of(JourneyWindow window) {
    Map<String, Instant> levels = new HashMap<>();
    Map<String, Instant> fallbacks = new HashMap<>();
    for (WindowSlice slice : window.slices()) {
      worked(slice.levels(), slice.to(), levels);
      worked(slice.fallbacks(), slice.to(), fallbacks);
    }
    return new Rungs(levels, fallbacks);
  }

  private static void worked(Map<String, Double> counts, Instant at, Map<String, Instant> newest) {
    counts.forEach(
        (name, count) -> {
          if (count > 0) {
            newest.merge(name, at, (one, other) -> one.isAfter(other) ? one : other);
          }
        });
  }
}
