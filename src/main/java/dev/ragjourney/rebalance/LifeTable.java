package dev.ragjourney.rebalance;

import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The law of a latency from bucketed calls of which some were cut (Kaplan–Meier on buckets).
 *
 * <p>A cut call says only "longer than this". With n calls at risk at the begin of a bucket, d
 * completed and w cut somewhere inside it, the bucket's hazard is {@code d / (n − w/2)} and the
 * share of calls that are longer is the product of {@code 1 − hazard}. Inside a bucket the law is
 * interpolated on the log scale.
 */
public final class LifeTable {
  /** Once calls were cut, the law is known only while this many are at risk … */
  private static final double ENOUGH_AT_RISK = 5;

  /** … or this share of them all: uncut calls have as many at their 95th percentile. */
  private static final double ENOUGH_SHARE_AT_RISK = 0.05;

  private static final double ROUNDING = 1e-9;

  private final double[] edges;
  private final double[] longer;

  /** Index of the last edge up to which the law is known. */
  private final int known;

  private final double total;

  private LifeTable(double[] edges, double[] longer, int known, double total) {
    this.edges = edges;
    this.longer = longer;
    this.known = known;
    this.total = total;
  }

  /** The law of calls that nothing cut. */
  public static LifeTable of(LatencyHistogram completed) {
    LatencyHistogram none = LatencyHistogram.zero(completed.boundaries());
    return of(completed, none, none, null);
  }

  /**
   * The law of a stage's calls, three histograms of one layout.
   *
   * @param completed calls that gave a result
   * @param capCut calls cut at the cap; they were at risk up to the cap
   * @param otherwiseCut calls cut at moments that vary from journey to journey
   * @param capSeconds the cap that all of them had: the bucket that holds it ends there; null if
   *     they had none or different ones
   */
  public static LifeTable of(
      LatencyHistogram completed,
      LatencyHistogram capCut,
      LatencyHistogram otherwiseCut,
      @Nullable Double capSeconds) {
    List<Double> boundaries = completed.boundaries();
    int capBucket = capSeconds == null ? -1 : completed.bucketOf(capSeconds);
    boolean ranPast = completed.ranPast(capBucket);
    double total = completed.total() + capCut.total() + otherwiseCut.total();
    double enough = Math.min(ENOUGH_AT_RISK, ENOUGH_SHARE_AT_RISK * total) * (1 - ROUNDING);

    double[] edges = new double[boundaries.size() + 1];
    double[] longer = new double[boundaries.size() + 1];
    longer[0] = 1;
    int known = 0;
    double atRisk = total;
    double survival = 1;
    boolean cut = false;
    for (int i = 0; i < boundaries.size(); i++) {
      double done = completed.counts().get(i);
      double cutInside =
          otherwiseCut.counts().get(i) + (i > capBucket ? capCut.counts().get(i) : 0);
      double cutAtEnd = i == capBucket ? upTo(capCut, capBucket) : 0;
      double exposure = atRisk - cutInside / 2;
      if (exposure > 0) {
        survival *= 1 - Math.min(1, done / exposure);
      }
      cut |= cutInside > 0;
      if (atRisk > 0 && (!cut || exposure >= enough)) {
        known = i + 1;
      }
      edges[i + 1] =
          i == capBucket && capSeconds != null && !ranPast ? capSeconds : boundaries.get(i);
      longer[i + 1] = Math.max(0, survival);
      atRisk -= done + cutInside + cutAtEnd;
      cut |= cutAtEnd > 0;
    }
    return new LifeTable(edges, longer, known, total);
  }

  /** How many calls the law was learned from. */
  public double calls() {
    return total;
  }

  /**
   * The time in seconds that this share of the calls does not exceed; empty if too many calls were
   * cut before it, or if there are none.
   */
  public OptionalDouble quantile(double share) {
    for (int i = 1; i <= known; i++) {
      double below = 1 - longer[i - 1];
      double reached = 1 - longer[i];
      if (reached >= share - ROUNDING && reached > below) {
        double fraction = Math.clamp((share - below) / (reached - below), 0.0, 1.0);
        double low = edges[i - 1];
        double high = edges[i];
        return OptionalDouble.of(low == 0 ? high * fraction : low * Math.pow(high / low, fraction));
      }
    }
    return OptionalDouble.empty();
  }

  /** The share of calls that take longer than this; beyond what is known, the last known share. */
  public double longerThan(double seconds) {
    for (int i = 1; i <= known; i++) {
      if (seconds < edges[i]) {
        double low = edges[i - 1];
        double fraction =
            low == 0
                ? Math.max(0, seconds) / edges[i]
                : Math.log(seconds / low) / Math.log(edges[i] / low);
        return longer[i - 1] + (longer[i] - longer[i - 1]) * fraction;
      }
    }
    return longer[known];
  }

  /** Up to here the law is known, in seconds; a quantile that is empty is at least this. */
  public double knownUpTo() {
    return edges[known];
  }

  private static double upTo(LatencyHistogram histogram, int bucket) {
    double sum = 0;
    for (int i = 0; i <= bucket; i++) {
      sum += histogram.counts().get(i);
    }
    return sum;
  }
}
