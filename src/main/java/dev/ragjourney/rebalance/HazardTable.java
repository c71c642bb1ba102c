package dev.ragjourney.rebalance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often a call that has lasted so long ends in the next step of the grid: completions and calls
 * at risk, cell by cell. Unlike quantiles they add up over windows with different caps.
 *
 * <p>A call that was cut, or left behind by its own fallback, is at risk until then and no longer.
 * Completions of one bucket are spread over its cells as {@link BucketHazard} says, cuts evenly on
 * the log scale.
 *
 * <p>Where too few calls are at risk to tell, a {@link HazardTail} goes on.
 */
final class HazardTable {
  /** A cell tells something from that many calls at risk on. */
  static final double ENOUGH_AT_RISK = 25;

  /** A bucket that loses this share of its calls at risk to cuts tells nothing of itself. */
  private static final double MANY_CUT = 0.2;

  private static final double ROUNDING = 1e-9;

  private final Grid grid;
  private final double[] events;
  private final double[] atRisk;
  private double calls;

  HazardTable(Grid grid) {
    this.grid = grid;
    events = new double[grid.last() + 1];
    atRisk = new double[grid.last() + 1];
  }

  /** Calls that were added, each with its weight. */
  double calls() {
    return calls;
  }

  /** Adds another table of the same grid, every call with this weight. */
  void add(HazardTable other, double weight) {
    for (int j = 0; j < events.length; j++) {
      events[j] += weight * other.events[j];
      atRisk[j] += weight * other.atRisk[j];
    }
    calls += weight * other.calls;
  }

  /**
   * Adds calls, three histograms of one layout.
   *
   * @param completed calls that gave a result
   * @param capCut calls cut at the cap
   * @param otherwiseCut calls cut or left behind at moments that vary
   * @param capSeconds the cap that all of them had; null if they had none or different ones
   */
  void add(
      LatencyHistogram completed,
      LatencyHistogram capCut,
      LatencyHistogram otherwiseCut,
      @Nullable Double capSeconds) {
    List<Double> boundaries = completed.boundaries();
    int capBucket = capSeconds == null ? -1 : completed.bucketOf(capSeconds);
    boolean endsAtCap = capSeconds != null && capBucket >= 0 && !completed.ranPast(capBucket);
    int cells = events.length;
    double[] cut = new double[cells];
    double[] edges = edges(boundaries);
    double[] ending = edges.clone();
    double[] risk = new double[boundaries.size()];
    double remaining = completed.total() + capCut.total() + otherwiseCut.total();
    for (int i = 0; i < boundaries.size(); i++) {
      risk[i] = remaining;
      remaining -= completed.counts().get(i) + otherwiseCut.counts().get(i);
      spread(otherwiseCut.counts().get(i), edges[i], edges[i + 1], cut);
      if (capSeconds == null) {
        remaining -= capCut.counts().get(i);
        spread(capCut.counts().get(i), edges[i], edges[i + 1], cut);
      }
      if (i == capBucket && endsAtCap && capSeconds != null) {
        ending[i + 1] = capSeconds;
      }
    }
    double[] done = completions(completed, risk.length, ending, risk);
    double leaving = capSeconds == null ? 0 : capCut.total();
    double capAt = capSeconds == null ? cells : capSeconds / grid.step();
    int capCell = (int) Math.ceil(capAt - ROUNDING) - 1;
    double left = completed.total() + capCut.total() + otherwiseCut.total();
    calls += left;
    for (int j = 0; j < cells && left > 0; j++) {
      double atCap = j == capCell ? leaving : 0;
      double exposed = left - cut[j] / 2 - atCap * (1 - Math.min(1, capAt - j));
      events[j] += done[j];
      atRisk[j] += Math.max(exposed, done[j]);
      left -= done[j] + cut[j] + atCap;
    }
  }

  /**
   * Adds what became of a random share of calls after their cut at the cap. As calls cut there they
   * are in the table already; from there on they are at risk again, until they ended.
   *
   * @param completed calls that gave a result after all, by their whole time
   * @param stillRunning calls that had not when they were given up, by their whole time
   */
  void addLate(LatencyHistogram completed, LatencyHistogram stillRunning, double capSeconds) {
    double[] done = new double[events.length];
    double[] cut = new double[events.length];
    double left = 0;
    double low = 0;
    for (int i = 0; i < completed.counts().size(); i++) {
      boolean last = i == completed.boundaries().size();
      double high = last ? Double.POSITIVE_INFINITY : completed.boundaries().get(i);
      if (high > capSeconds) {
        left += completed.counts().get(i) + stillRunning.counts().get(i);
        if (!last) {
          spread(completed.counts().get(i), Math.max(low, capSeconds), high, done);
          spread(stillRunning.counts().get(i), Math.max(low, capSeconds), high, cut);
        }
      }
      low = high;
    }
    double capAt = capSeconds / grid.step();
    for (int j = cellOf(capSeconds); j < events.length && left > 0; j++) {
      double exposed = left * Math.min(1, j + 1 - capAt) - cut[j] / 2;
      events[j] += done[j];
      atRisk[j] += Math.max(exposed, done[j]);
      left -= done[j] + cut[j];
    }
  }

  /**
   * Adds calls of which many were cut at one moment.
   *
   * @param cutAtSeconds that moment: the bucket that holds it ends there. Null if it is not known
   *     where in its bucket it was: then from the begin of the first bucket that lost many calls to
   *     cuts on nothing is
   */
  void addCutAlike(
      LatencyHistogram completed, LatencyHistogram cut, @Nullable Double cutAtSeconds) {
    List<Double> boundaries = completed.boundaries();
    int cutBucket = cutAtSeconds == null ? -1 : completed.bucketOf(cutAtSeconds);
    boolean known = cutBucket >= 0 && !completed.plus(cut).ranPast(cutBucket);
    double left = completed.total() + cut.total();
    double remaining = left;
    calls += left;
    double[] leaving = new double[events.length];
    double[] leftBehind = new double[events.length];
    double[] edges = edges(boundaries);
    double[] risk = new double[boundaries.size()];
    int told = boundaries.size();
    for (int i = 0; i < told; i++) {
      risk[i] = remaining;
      double gone = cut.counts().get(i);
      remaining -= completed.counts().get(i) + gone;
      if (known && cutAtSeconds != null && i == cutBucket) {
        edges[i + 1] = cutAtSeconds;
        leave(gone, cellOf(cutAtSeconds), leaving);
      } else if (known) {
        spread(gone, edges[i], edges[i + 1], leftBehind);
      } else if (gone > MANY_CUT * risk[i]) {
        told = i;
        leave(risk[i], (int) Math.floor(edges[i] / grid.step() + ROUNDING) - 1, leaving);
      } else {
        leave(gone, cellOf(edges[i + 1]), leaving);
      }
    }
    double[] done = completions(completed, told, edges, risk);
    for (int j = 0; j < events.length && left > 0; j++) {
      events[j] += done[j];
      atRisk[j] += Math.max(done[j], left - leftBehind[j] / 2);
      left -= done[j] + leaving[j] + leftBehind[j];
    }
  }

  private static void leave(double count, int cell, double[] leaving) {
    if (cell < leaving.length) {
      leaving[Math.max(0, cell)] += count;
    }
  }

  /** The law, with its tail; null if too few calls are at risk even at its begin. */
  @Nullable CellLaw law() {
    int known = known();
    if (known == 0) {
      return null;
    }
    HazardTail tail = HazardTail.of(events, atRisk, known);
    double[] longer = new double[events.length + 1];
    longer[0] = 1;
    for (int j = 0; j < events.length; j++) {
      double hazard = j < known ? events[j] / atRisk[j] : tail.hazard(j);
      longer[j + 1] = longer[j] * (1 - Math.clamp(hazard, 0, 1));
    }
    return CellLaw.ofLonger(longer);
  }

  /**
   * The largest difference between the shares of longer calls of two tables, as far as both tell.
   */
  double distance(HazardTable other) {
    int both = Math.min(known(), other.known());
    double mine = 1;
    double others = 1;
    double most = 0;
    for (int j = 0; j < both; j++) {
      mine *= 1 - events[j] / atRisk[j];
      others *= 1 - other.events[j] / other.atRisk[j];
      most = Math.max(most, Math.abs(mine - others));
    }
    return most;
  }

  /** How many cells from the begin on tell something. */
  int known() {
    int known = 0;
    while (known < atRisk.length && atRisk[known] >= ENOUGH_AT_RISK - ROUNDING) {
      known++;
    }
    return known;
  }

  /** Zero and the boundaries. */
  private static double[] edges(List<Double> boundaries) {
    double[] edges = new double[boundaries.size() + 1];
    for (int i = 0; i < boundaries.size(); i++) {
      edges[i + 1] = boundaries.get(i);
    }
    return edges;
  }

  /** The cell that ends at or holds a time. */
  private int cellOf(double seconds) {
    return Math.max(0, (int) Math.ceil(seconds / grid.step() - ROUNDING) - 1);
  }

  /** Of the first buckets, spread over the cells. */
  private double[] completions(
      LatencyHistogram completed, int buckets, double[] edges, double[] risk) {
    double[] counts = new double[risk.length];
    for (int i = 0; i < buckets; i++) {
      counts[i] = completed.counts().get(i);
    }
    BucketHazard within = new BucketHazard(edges, risk, counts);
    double[] cells = new double[events.length];
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] <= 0 || edges[i + 1] <= edges[i]) {
        continue;
      }
      int to = Math.min(cells.length, cellOf(edges[i + 1]) + 1);
      double before = 0;
      for (int j = (int) Math.floor(edges[i] / grid.step() + ROUNDING); j < to; j++) {
        double now = within.upTo(i, (j + 1) * grid.step());
        cells[j] += counts[i] * (now - before);
        before = now;
      }
    }
    return cells;
  }

  private void spread(double count, double low, double high, double[] cells) {
    if (count <= 0 || high <= low) {
      return;
    }
    double step = grid.step();
    int from = (int) Math.min(cells.length, Math.floor(low / step + ROUNDING));
    int to = (int) Math.min(cells.length, Math.ceil(high / step - ROUNDING));
    for (int j = from; j < to; j++) {
      double begin = Math.max(low, j * step);
      double end = Math.min(high, (j + 1) * step);
      double share = low <= 0 ? (end - begin) / high : Math.log(end / begin) / Math.log(high / low);
      cells[j] += count * share;
    }
  }
}
