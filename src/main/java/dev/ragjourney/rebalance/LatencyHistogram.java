package dev.ragjourney.rebalance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Counts by upper boundary.
 *
 * @param boundaries upper boundaries in seconds, rising; the last bucket above them is unbounded.
 *     Those of leading empty buckets may be absent
 * @param counts one count a bucket, not cumulative: one more than the boundaries; empty for no data
 */
public record LatencyHistogram(List<Double> boundaries, List<Double> counts) {
  public static final LatencyHistogram EMPTY = new LatencyHistogram(List.of(), List.of());

  /** Two spellings of one boundary differ by less than this, relative to their size. */
  private static final double SAME_BOUNDARY = 1e-6;

  /** A share of the counts above a cap's bucket from which on the cap did not end the calls. */
  private static final double RAN_PAST = 0.01;

  public LatencyHistogram {
    boundaries = List.copyOf(boundaries);
    counts = List.copyOf(counts);
    if (counts.isEmpty() ? !boundaries.isEmpty() : counts.size() != boundaries.size() + 1) {
      throw new IllegalArgumentException(
          boundaries.size() + " boundaries do not fit " + counts.size() + " counts");
    }
  }

  public double total() {
    double sum = 0;
    for (double count : counts) {
      sum += count;
    }
    return sum;
  }

  /** The bucket that holds this value; −1 if it lies above the last boundary. */
  int bucketOf(double seconds) {
    for (int i = 0; i < boundaries.size(); i++) {
      if (seconds <= boundaries.get(i)) {
        return i;
      }
    }
    return -1;
  }

  /** So many counts lie above the bucket that a cap in it cannot have ended the calls. */
  boolean ranPast(int bucket) {
    double above = 0;
    for (int i = bucket + 1; i < counts.size(); i++) {
      above += counts.get(i);
    }
    return above > RAN_PAST * total();
  }

  /**
   * The same counts with every boundary of a layout present; empty if they were counted by another
   * layout.
   */
  public Optional<LatencyHistogram> on(List<Double> layout) {
    int missing = layout.size() - boundaries.size();
    if (counts.isEmpty()) {
      return Optional.of(zero(layout));
    }
    if (missing < 0) {
      return Optional.empty();
    }
    for (int i = 0; i < boundaries.size(); i++) {
      double wanted = layout.get(missing + i);
      if (Math.abs(boundaries.get(i) - wanted) > SAME_BOUNDARY * wanted) {
        return Optional.empty();
      }
    }
    List<Double> all = new ArrayList<>(layout.size() + 1);
    for (int i = 0; i < missing; i++) {
      all.add(0.0);
    }
    all.addAll(counts);
    return Optional.of(new LatencyHistogram(layout, all));
  }

  /** The sum of two histograms of one layout. */
  public LatencyHistogram plus(LatencyHistogram other) {
    if (!boundaries.equals(other.boundaries)) {
      throw new IllegalArgumentException("histograms of different layouts do not add up");
    }
    List<Double> sum = new ArrayList<>(counts.size());
    for (int i = 0; i < counts.size(); i++) {
      sum.add(counts.get(i) + other.counts.get(i));
    }
    return new LatencyHistogram(boundaries, sum);
  }

  /**
   * The value that this share of the counts does not exceed, linear inside a bucket; empty if there
   * are no counts or if it lies above the last boundary.
   */
  public OptionalDouble linearQuantile(double share) {
    double wanted = share * total();
    double below = 0;
    for (int i = 0; i < boundaries.size(); i++) {
      double count = counts.get(i);
      if (count > 0 && below + count >= wanted) {
        double low = i == 0 ? 0 : boundaries.get(i - 1);
        return OptionalDouble.of(low + (boundaries.get(i) - low) * (wanted - below) / count);
      }
      below += count;
    }
    return OptionalDouble.empty();
  }

  static LatencyHistogram zero(List<Double> layout) {
    List<Double> zeros = new ArrayList<>(layout.size() + 1);
    for (int i = 0; i <= layout.size(); i++) {
      zeros.add(0.0);
    }
    return new LatencyHistogram(layout, zeros);
  }
}
