package dev.ragjourney.rebalance;

import java.util.Arrays;

/** A latency's law on the points of a grid; what lies beyond the last point is too late. */
final class CellLaw {
  /** What is left beyond the support's last point changes no figure. */
  private static final double NEGLIGIBLE = 1e-9;

  private final double[] mass;
  private final double[] longer;
  private int first;
  private int support;

  private CellLaw(double[] mass) {
    this.mass = mass;
    longer = new double[mass.length];
    double left = 1;
    for (int k = 0; k < mass.length; k++) {
      left = Math.max(0, left - mass[k]);
      longer[k] = left;
      if (mass[k] > 0 && left > 1 - NEGLIGIBLE) {
        first = k + 1;
      }
      if (mass[k] > 0 && (k == 0 ? 1 : longer[k - 1]) > NEGLIGIBLE) {
        support = k;
      }
    }
  }

  /**
   * @param mass the share of each point; what is missing to 1 is too late
   */
  static CellLaw ofMass(double... mass) {
    return new CellLaw(mass.clone());
  }

  /**
   * The law behind shares of longer calls at the edges 0, 1, 2 … of the cells between the points.
   * Half of a cell rounds down, half up.
   *
   * @param longer one more than the points
   */
  static CellLaw ofLonger(double[] longer) {
    double[] mass = new double[longer.length - 1];
    for (int k = 0; k < mass.length; k++) {
      mass[k] = (longer[Math.max(0, k - 1)] - longer[k + 1]) / 2;
    }
    return new CellLaw(mass);
  }

  int last() {
    return mass.length - 1;
  }

  double mass(int point) {
    return mass[point];
  }

  /** No call ends before this point. */
  int first() {
    return first;
  }

  /** No call ends after this point in time. */
  int support() {
    return support;
  }

  /** The share of calls that take longer than up to a point. */
  double longer(int point) {
    return point < 0 ? 1 : longer[Math.min(point, longer.length - 1)];
  }

  /** The first point that this share of the calls does not exceed, or the last one. */
  int quantile(double share) {
    for (int k = 0; k < longer.length; k++) {
      if (1 - longer[k] >= share) {
        return k;
      }
    }
    return last();
  }

  /** The same law on another grid. */
  CellLaw on(Grid mine, Grid other) {
    double[] resampled = new double[other.last() + 1];
    double before = 0;
    for (int k = 0; k < resampled.length; k++) {
      double at = Math.min(other.limit(k) / mine.step() - 0.5, last());
      int below = (int) Math.floor(at);
      double now = 1 - longer(below) + (longer(below) - longer(below + 1)) * (at - below);
      resampled[k] = now - before;
      before = now;
    }
    return new CellLaw(resampled);
  }

  /** The law of a stage so many times as fast. */
  CellLaw faster(double times) {
    Grid grid = new Grid(last(), 1);
    return on(grid, new Grid(last(), times));
  }

  /** The same law on a grid with more points, which no call is known to reach. */
  CellLaw withMore(int points) {
    return new CellLaw(Arrays.copyOf(mass, mass.length + points));
  }

  /** The law of a call that takes as long as the slower of two independent ones. */
  CellLaw slowerOf(CellLaw other) {
    double[] slower = new double[mass.length];
    double before = 0;
    for (int k = 0; k < slower.length; k++) {
      double now = (1 - longer[k]) * (1 - other.longer[k]);
      slower[k] = now - before;
      before = now;
    }
    return new CellLaw(slower);
  }

  /** The law of one call after the other. */
  CellLaw then(CellLaw other) {
    double[] sum = new double[mass.length];
    for (int k = 0; k < mass.length; k++) {
      for (int j = 0; j + k < mass.length; j++) {
        sum[k + j] += mass[k] * other.mass[j];
      }
    }
    return new CellLaw(sum);
  }
}
