package dev.ragjourney.simulate;

import java.util.Arrays;
import java.util.List;

/**
 * A law made ready for draws. A call is drawn by a normal score, so that calls with correlated
 * scores are correlated by a Gaussian copula whatever their laws.
 */
final class Latency {
  /** A call that never ends by itself, in nanoseconds: more than any budget. */
  static final long NEVER_ENDS = Long.MAX_VALUE / 4;

  private static final double NANOS = 1e9;
  private static final int CELLS = 512;
  private static final int HALVINGS = 40;

  /** Of a mixture's quantile, relative to its size. */
  private static final double EXACT = 1e-8;

  private final List<Plain> plains;
  private final double failing;

  /** Where a mixture's quantiles lie, roughly: logarithms of seconds, and the share below. */
  private final double lowest;

  private final double width;
  private final double[] below;

  private Latency(List<Plain> plains) {
    this.plains = plains;
    failing = plains.stream().mapToDouble(Plain::failing).sum();
    double low = plains.stream().mapToDouble(plain -> plain.lowest).min().orElse(0);
    double high = plains.stream().mapToDouble(plain -> plain.highest).max().orElse(0);
    lowest = low - 1e-6;
    width = (high - low + 2e-6) / CELLS;
    below = new double[CELLS + 1];
    Arrays.setAll(below, cell -> shareUpTo(Math.exp(lowest + cell * width)));
  }

  static Latency of(Law law) {
    return new Latency(law.shapes().stream().filter(s -> s.weight() > 0).map(Plain::of).toList());
  }

  /** The share of calls that take longer than this, or fail: what a stage's budget loses. */
  double withoutAnswerAfter(double seconds) {
    double answered = 0;
    for (Plain plain : plains) {
      answered += (plain.weight - plain.failing) * plain.upTo(seconds);
    }
    return 1 - answered;
  }

  /**
   * One call.
   *
   * @param score normal; the higher the slower
   * @param chance 0 to 1, picks the calls that fail
   * @return nanoseconds; of a call that fails their complement, which is negative
   */
  long draw(double score, double chance) {
    double seconds = plains.size() == 1 ? plains.getFirst().at(score) : mixed(score);
    long nanos = seconds >= NEVER_ENDS / NANOS ? NEVER_ENDS : Math.round(seconds * NANOS);
    return failing > 0 && chance < failingAt(seconds) ? ~nanos : nanos;
  }

  private double mixed(double score) {
    double share = Normal.distribution(score);
    if (share > below[CELLS]) {
      return Double.POSITIVE_INFINITY;
    }
    int found = Arrays.binarySearch(below, share);
    int cell = Math.clamp(found >= 0 ? found : -found - 2, 0, CELLS - 1);
    double low = lowest + cell * width;
    double high = low + width;
    for (Plain plain : plains) {
      // A law that has a point would otherwise be missed by a rounding error.
      if (plain.point && low < plain.lowest && plain.lowest <= high) {
        double at = plain.at(0);
        double reached = shareUpTo(at);
        if (share <= reached && share > reached - plain.weight) {
          return at;
        }
      }
    }
    for (int step = 0; step < HALVINGS && high - low > EXACT; step++) {
      double middle = (low + high) / 2;
      if (shareUpTo(Math.exp(middle)) < share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.exp((low + high) / 2);
  }

  private double shareUpTo(double seconds) {
    double share = 0;
    for (Plain plain : plains) {
      share += plain.weight * plain.upTo(seconds);
    }
    return share;
  }

  /** The share of the calls of this length that fail. */
  private double failingAt(double seconds) {
    if (plains.size() == 1) {
      return failing / plains.getFirst().weight;
    }
    double all = 0;
    double fail = 0;
    for (Plain plain : plains) {
      double density = plain.density(seconds);
      all += density * plain.weight;
      fail += density * plain.failing;
    }
    return all > 0 ? fail / all : 0;
  }

  /** One of the plain laws. */
  private static final class Plain {
    /** So far from the median, in sigmas, lies everything that a draw can reach. */
    private static final double FAR = 8.5;

    /** The density of a point: so large that beside it no other one counts. */
    private static final double POINT = 1e12;

    private final Law law;
    private final double weight;
    private final double failing;
    private final double size;
    private final double sigma;
    private final boolean point;
    private final double lowest;
    private final double highest;

    private Plain(Law.Shape shape, double size, double sigma, double lowest, double highest) {
      law = shape.law();
      weight = shape.weight();
      failing = shape.failing();
      this.size = size;
      this.sigma = sigma;
      point = lowest >= highest && size < NEVER_ENDS / NANOS;
      this.lowest = lowest;
      this.highest = highest;
    }

    static Plain of(Law.Shape shape) {
      return switch (shape.law()) {
        case Law.Lognormal(var median, double sigma) -> {
          double log = Math.log(seconds(median));
          yield new Plain(shape, seconds(median), sigma, log - FAR * sigma, log + FAR * sigma);
        }
        case Law.Exponential(var mean) -> {
          double log = Math.log(seconds(mean));
          yield new Plain(shape, seconds(mean), 1, log - 32, log + Math.log(50));
        }
        case Law.Constant(var time) -> {
          double log = Math.log(Math.max(1e-9, seconds(time)));
          yield new Plain(shape, seconds(time), 0, log, log);
        }
        case Law.Hang _ -> new Plain(shape, Double.POSITIVE_INFINITY, 0, 0, 0);
        case Law.Failing _, Law.Mixture _ ->
            throw new IllegalArgumentException("a plain law is no sum of others");
      };
    }

    private static double seconds(java.time.Duration duration) {
      return duration.getSeconds() + duration.getNano() / NANOS;
    }

    double failing() {
      return failing;
    }

    double at(double score) {
      return switch (law) {
        case Law.Lognormal _ -> sigma == 0 ? size : size * Math.exp(sigma * score);
        case Law.Exponential _ -> -size * Math.log(Normal.distribution(-score));
        default -> size;
      };
    }

    double upTo(double seconds) {
      if (law instanceof Law.Exponential) {
        return -Math.expm1(-seconds / size);
      }
      if (sigma == 0) {
        return seconds >= size * (1 - 1e-12) ? 1 : 0;
      }
      return seconds <= 0 ? 0 : Normal.distribution(Math.log(seconds / size) / sigma);
    }

    double density(double seconds) {
      if (law instanceof Law.Exponential) {
        return Math.exp(-seconds / size) / size;
      }
      if (sigma == 0) {
        boolean there = size == seconds || Math.abs(seconds - size) < 1e-9;
        return there ? POINT : 0;
      }
      double z = Math.log(seconds / size) / sigma;
      return seconds <= 0 ? 0 : Math.exp(-z * z / 2) / (seconds * sigma * Math.sqrt(2 * Math.PI));
    }
  }
}
