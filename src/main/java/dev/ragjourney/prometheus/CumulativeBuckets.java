package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts at or below each boundary, as they arrive bucket by bucket in any order. */
final class CumulativeBuckets {
  /** Sums of floating point counts may fall this short of each other, relative to their size. */
  private static final double ROUNDING = 1e-9;

  private final TreeMap<Double, Double> upTo = new TreeMap<>();

  /** Adds what one spelling of a boundary has. */
  void add(double boundary, double count) {
    upTo.merge(boundary, count, Double::sum);
  }

  /**
   * One count a bucket.
   *
   * @throws MixedLayoutException if a higher boundary has a smaller count, or if there is no
   *     unbounded bucket: then histograms of different boundaries were added up
   */
  LatencyHistogram histogram() throws MixedLayoutException {
    if (upTo.isEmpty()) {
      return LatencyHistogram.EMPTY;
    }
    if (!Double.isInfinite(upTo.lastKey())) {
      throw new MixedLayoutException("there is no bucket le=\"+Inf\"");
    }
    List<Double> boundaries = new ArrayList<>();
    List<Double> counts = new ArrayList<>();
    double below = 0;
    for (Map.Entry<Double, Double> bucket : upTo.entrySet()) {
      double count = bucket.getValue() - below;
      if (count < -ROUNDING * below) {
        throw new MixedLayoutException(
            "the bucket le=\"" + bucket.getKey() + "\" has fewer counts than the one below it");
      }
      if (!Double.isInfinite(bucket.getKey())) {
        boundaries.add(bucket.getKey());
      }
      counts.add(Math.max(0, count));
      below = Math.max(below, bucket.getValue());
    }
    return new LatencyHistogram(boundaries, counts);
  }

  /** The sum is of histograms with different boundaries. */
  static final class MixedLayoutException extends Exception {
    private static final long serialVersionUID = 1L;

    MixedLayoutException(String message) {
      super(message);
    }
  }
}
