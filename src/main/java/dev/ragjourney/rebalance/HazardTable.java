package dev.ragjourney.rebalance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often a call that has lasted so long ends in the next step of the grid: completions and calls
 * at risk, cell by cell. Unlike quantiles they add up over windows with different caps.
 *
 * <p>A call that was cut, or left behind by its own fallback, is at risk until then and no longer.
 * Calls of one bucket are spread over its cells evenly on the log scale.
 *
 * <p>Where too few calls are at risk to tell, the hazard falls like {@code a / x}, with the most
 * likely {@code a} of the last cells that hold enough completions: a tail that never promises that
 * a bit more patience helps.
 */
final class HazardTable {
  /** A cell tells something from that many calls at risk on. */
  static final double ENOUGH_AT_RISK = 25;

  /** Completions that the tail is learned from. */
  static final double TAIL_EVENTS = 20;

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
    double[] done = new double[cells];
    double[] cut = new double[cells];
    double low = 0;
    for (int i = 0; i < boundaries.size(); i++) {
      double high = boundaries.get(i);
      double end = i == capBucket && endsAtCap && capSeconds != null ? capSeconds : high;
      spread(completed.counts().get(i), low, end, done);
      spread(otherwiseCut.counts().get(i), low, high, cut);
      if (capSeconds == null) {
        spread(capCut.counts().get(i), low, high, cut);
      }
      low = high;
    }
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
   * Adds calls of which many were cut at nearly the same moment. Where in its bucket that was is
   * not known, so from the begin of the first bucket that lost many calls to cuts on nothing is.
   */
  void addCutAlike(LatencyHistogram completed, LatencyHistogram cut) {
    double low = 0;
    double left = completed.total() + cut.total();
    double atBegin = left;
    calls += left;
    double[] done = new double[events.length];
    double[] leaving = new double[events.length];
    for (int i = 0; i < completed.boundaries().size(); i++) {
      double high = completed.boundaries().get(i);
      if (cut.counts().get(i) > MANY_CUT * atBegin) {
        int from = (int) Math.floor(low / grid.step() + ROUNDING);
        if (from < leaving.length) {
          leaving[Math.max(0, from - 1)] += atBegin;
        }
        break;
      }
      atBegin -= completed.counts().get(i) + cut.counts().get(i);
      spread(completed.counts().get(i), low, high, done);
      int cell = (int) Math.ceil(high / grid.step() - ROUNDING) - 1;
      if (cell < leaving.length) {
        leaving[Math.max(0, cell)] += cut.counts().get(i);
      }
      low = high;
    }
    for (int j = 0; j < events.length && left > 0; j++) {
      events[j] += done[j];
      atRisk[j] += left;
      left -= done[j] + leaving[j];
    }
  }

  /** The law, with its tail; null if too few calls are at risk even at its begin. */
  @Nullable CellLaw law() {
    int known = known();
    if (known == 0) {
      return null;
    }
    double tail = tail(known);
    double[] longer = new double[events.length + 1];
    longer[0] = 1;
    for (int j = 0; j < events.length; j++) {
      double hazard = j < known ? events[j] / atRisk[j] : tail / (j + 0.5);
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

  /** The most likely a of a hazard a / x: completions by exposure on the log scale. */
  private double tail(int known) {
    double seen = 0;
    double exposure = 0;
    for (int j = known - 1; j >= 0 && seen < TAIL_EVENTS - ROUNDING; j--) {
      seen += events[j];
      exposure += atRisk[j] / (j + 0.5);
    }
    return exposure > 0 ? seen / exposure : 0;
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
