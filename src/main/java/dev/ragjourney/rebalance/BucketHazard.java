package dev.ragjourney.rebalance;

/**
 * Where in their bucket calls were completed, as far as the buckets beside it tell.
 *
 * <p>With n calls at risk at the begin of a bucket and d completed in it, its cumulative hazard is
 * {@code −ln(1 − d/n)}. By its width on the log scale that is an index, which is taken to change
 * evenly with ln x at the rate that it has between the two buckets beside it: exact for a Pareto
 * tail, and nearly so for a lognormal one.
 */
final class BucketHazard {
  /** Half a call more at risk keeps the index of a bucket in which all calls ended finite. */
  private static final double KEPT = 0.5;

  private final double[] edges;
  private final double[] index;
  private final int buckets;

  /**
   * @param edges of the buckets, rising from 0: one more than the buckets
   * @param atRisk at the begin of each bucket
   * @param completed in each bucket
   */
  BucketHazard(double[] edges, double[] atRisk, double[] completed) {
    this.edges = edges;
    buckets = completed.length;
    index = new double[buckets];
    for (int i = 0; i < buckets; i++) {
      if (edges[i] > 0 && completed[i] > 0) {
        double ended = Math.min(1, completed[i] / (Math.max(atRisk[i], completed[i]) + KEPT));
        index[i] = -Math.log(1 - ended) / width(i);
      }
    }
  }

  /** The share of a bucket's completions that took no longer than this. */
  double upTo(int bucket, double seconds) {
    double low = edges[bucket];
    double high = edges[bucket + 1];
    if (seconds >= high) {
      return 1;
    }
    if (seconds <= low) {
      return 0;
    }
    if (low <= 0) {
      return seconds / high;
    }
    double width = width(bucket);
    double x = Math.log(seconds / low);
    double level = index[bucket];
    double slope = slope(bucket);
    double until = level * x + slope / 2 * x * (x - width);
    double all = level * width;
    return all <= 0 ? x / width : Math.expm1(-until) / Math.expm1(-all);
  }

  /** Never so steep that the index falls below zero inside its bucket. */
  private double slope(int bucket) {
    int before = bucket > 0 && edges[bucket - 1] > 0 ? bucket - 1 : bucket;
    int after = bucket + 1 < buckets && index[bucket + 1] > 0 ? bucket + 1 : bucket;
    if (before == after) {
      return 0;
    }
    double apart = middle(after) - middle(before);
    double most = 2 * index[bucket] / width(bucket);
    return Math.clamp((index[after] - index[before]) / apart, -most, most);
  }

  private double middle(int bucket) {
    return Math.log(edges[bucket] * edges[bucket + 1]) / 2;
  }

  private double width(int bucket) {
    return Math.log(edges[bucket + 1] / edges[bucket]);
  }
}
