package dev.ragjourney.rebalance;

/**
 * How a hazard goes on where too few calls are at risk to tell: {@code (index + slope × ln(x /
 * from)) / x}.
 *
 * <p>With a slope of 0 that is a Pareto tail, which never promises that a bit more patience helps.
 * Where the index has been rising with {@code ln x} for sure, it goes on at that rate: in a
 * lognormal or an exponential law it rises faster and faster, so that this is still too heavy.
 *
 * @param index the most likely one of the last completions
 * @param slope never less than 0
 * @param from in cells
 */
record HazardTail(double index, double slope, double from) {
  /** Completions that the index is learned from. */
  static final double EVENTS = 20;

  /** Standard errors by which the index must rise to be taken for rising. */
  private static final double SURE = 1;

  private static final double ROUNDING = 1e-9;

  /**
   * @param events completions by cell
   * @param atRisk calls at risk by cell
   * @param known so many cells tell something, at least one
   */
  static HazardTail of(double[] events, double[] atRisk, int known) {
    Stretch last = new Stretch(events, atRisk, known, EVENTS);
    double completed = 0;
    for (int j = 0; j < known; j++) {
      completed += events[j];
    }
    // A cap inside the last cell exposes the calls to little of it.
    int whole = Math.max(0, known - 2);
    double left = atRisk[whole] - events[whole];
    double half = Math.max(EVENTS, Math.min(left, completed / 2));
    Stretch late = new Stretch(events, atRisk, known, half);
    Stretch early = new Stretch(events, atRisk, late.begin, half);
    return new HazardTail(last.index(), slope(early, late), Math.exp(last.middle()));
  }

  private static double slope(Stretch early, Stretch late) {
    if (early.seen <= 0) {
      return 0;
    }
    double error = Math.sqrt(late.variance() + early.variance());
    double rise = late.index() - early.index() - SURE * error;
    return Math.max(0, rise) / (late.middle() - early.middle());
  }

  /** The share of the calls at risk at a cell's begin that end in it. */
  double hazard(int cell) {
    double x = cell + 0.5;
    return (index + slope * Math.max(0, Math.log(x / from))) / x;
  }

  /** Completions and exposure on the log scale of some neighbouring cells. */
  private static final class Stretch {
    private double seen;
    private double exposure;
    private double logs;
    private int begin;

    /** The last cells before an end that hold so many completions. */
    Stretch(double[] events, double[] atRisk, int end, double enough) {
      begin = end;
      while (begin > 0 && seen < enough - ROUNDING) {
        begin--;
        double x = begin + 0.5;
        seen += events[begin];
        exposure += atRisk[begin] / x;
        logs += atRisk[begin] / x * Math.log(x);
      }
    }

    /** The most likely a of a hazard a / x. */
    double index() {
      return exposure > 0 ? seen / exposure : 0;
    }

    double middle() {
      return exposure > 0 ? logs / exposure : 0;
    }

    double variance() {
      return seen > 0 ? index() * index() / seen : 0;
    }
  }
}
