package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.WindowSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Sorts the series of a round's answers by journey and slice. Safe for concurrent answers. */
final class ReadingCollector implements SeriesSink {
  private final Duration interval;
  private final Map<JourneyId, TreeMap<Long, SliceCollector>> journeys = new HashMap<>();

  private final Map<JourneyId, Instant> scraped = new HashMap<>();

  ReadingCollector(Duration interval) {
    this.interval = interval;
  }

  /** Series that are not a journey's, or none that was asked for, are passed over. */
  @Override
  public synchronized void series(Map<String, String> labels, long[] millis, double[] values) {
    Optional<Kind> kind = Kind.of(labels.getOrDefault(Labels.KIND, ""));
    String namespace = labels.getOrDefault(Labels.NAMESPACE, "");
    String journey = labels.getOrDefault(Labels.JOURNEY, "");
    if (kind.isEmpty() || namespace.isEmpty() || journey.isEmpty()) {
      return;
    }
    if (kind.get() == Kind.SCRAPED) {
      scraped(new JourneyId(namespace, journey), values);
      return;
    }
    TreeMap<Long, SliceCollector> slices =
        journeys.computeIfAbsent(new JourneyId(namespace, journey), _ -> new TreeMap<>());
    for (int i = 0; i < millis.length; i++) {
      slices
          .computeIfAbsent(millis[i], _ -> new SliceCollector())
          .add(kind.get(), labels, values[i]);
    }
  }

  private void scraped(JourneyId id, double[] seconds) {
    for (double time : seconds) {
      if (Double.isFinite(time)) {
        scraped.merge(id, Instant.ofEpochMilli(Math.round(time * 1e3)), ReadingCollector::later);
      }
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  synchronized LatencyReading.Measured reading() {
    Map<JourneyId, JourneyWindow> windows = new HashMap<>();
    journeys.forEach(
        (id, slices) -> {
          List<WindowSlice> all = new ArrayList<>();
          slices.forEach(
              (to, slice) -> {
                if (slice.counted()) {
                  all.add(slice.slice(Instant.ofEpochMilli(to), interval));
                }
              });
          windows.put(id, new JourneyWindow(all, scraped.get(id)));
        });
    return new LatencyReading.Measured(windows);
  }
}
