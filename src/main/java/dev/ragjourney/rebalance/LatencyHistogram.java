package dev.ragjourney.rebalance;

import java.util.List;

/**
 * Counts by upper boundary.
 *
 * @param boundaries upper boundaries in seconds, rising; the last bucket above them is unbounded.
 *     Those of leading empty buckets may be absent
 * @param counts one count a bucket, not cumulative: one more than the boundaries; empty for no data
 */
public record LatencyHistogram(List<Double> boundaries, List<Double> counts) {
  public static final LatencyHistogram EMPTY = new LatencyHistogram(List.of(), List.of());

  public LatencyHistogram {
    boundaries = List.copyOf(boundaries);
    counts = List.copyOf(counts);
  }

  public double total() {
    double sum = 0;
    for (double count : counts) {
      sum += count;
    }
    return sum;
  }
}
