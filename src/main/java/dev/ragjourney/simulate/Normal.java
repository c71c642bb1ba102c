package dev.ragjourney.simulate;

/** The standard normal law. */
final class Normal {
  private static final double SMALL = 7.07106781186547;
  private static final double NOTHING_BEYOND = 37;
  private static final double ROOT_OF_TWO_PI = 2.506628274631;

  /** Below it and above one minus it Acklam's approximation has other coefficients. */
  private static final double TAIL = 0.02425;

  private static final double[] NUMERATOR = {
    3.52624965998911e-02,
    0.700383064443688,
    6.37396220353165,
    33.912866078383,
    112.079291497871,
    221.213596169931,
    220.206867912376
  };
  private static final double[] DENOMINATOR = {
    8.83883476483184e-02,
    1.75566716318264,
    16.064177579207,
    86.7807322029461,
    296.564248779674,
    637.333633378831,
    793.826512519948,
    440.413735824752
  };
  private static final double[] MIDDLE_ABOVE = {
    -3.969683028665376e+01,
    2.209460984245205e+02,
    -2.759285104469687e+02,
    1.383577518672690e+02,
    -3.066479806614716e+01,
    2.506628277459239e+00
  };
  private static final double[] MIDDLE_BELOW = {
    -5.447609879822406e+01,
    1.615858368580409e+02,
    -1.556989798598866e+02,
    6.680131188771972e+01,
    -1.328068155288572e+01,
    1
  };
  private static final double[] TAIL_ABOVE = {
    -7.784894002430293e-03,
    -3.223964580411365e-01,
    -2.400758277161838e+00,
    -2.549732539343734e+00,
    4.374664141464968e+00,
    2.938163982698783e+00
  };
  private static final double[] TAIL_BELOW = {
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1
  };

  private Normal() {}

  /** Φ(x) by Hart's rational function, right to 1e-14 (West, Wilmott Magazine 2005). */
  static double distribution(double x) {
    double size = Math.abs(x);
    if (size > NOTHING_BEYOND) {
      return x > 0 ? 1 : 0;
    }
    double density = Math.exp(-size * size / 2);
    double tail;
    if (size < SMALL) {
      tail = density * polynomial(NUMERATOR, size) / polynomial(DENOMINATOR, size);
    } else {
      double fraction = size + 0.65;
      for (int k = 4; k >= 1; k--) {
        fraction = size + k / fraction;
      }
      tail = density / fraction / ROOT_OF_TWO_PI;
    }
    return x > 0 ? 1 - tail : tail;
  }

  /**
   * Φ⁻¹ by Acklam's approximation and one step of Halley's method.
   *
   * @param share above 0 and below 1
   */
  static double quantile(double share) {
    double x;
    if (share < TAIL) {
      x = tail(Math.sqrt(-2 * Math.log(share)));
    } else if (share > 1 - TAIL) {
      x = -tail(Math.sqrt(-2 * Math.log(1 - share)));
    } else {
      double q = share - 0.5;
      x = polynomial(MIDDLE_ABOVE, q * q) * q / polynomial(MIDDLE_BELOW, q * q);
    }
    double error = distribution(x) - share;
    double step = error * Math.sqrt(2 * Math.PI) * Math.exp(x * x / 2);
    return x - step / (1 + x * step / 2);
  }

  private static double tail(double q) {
    return polynomial(TAIL_ABOVE, q) / polynomial(TAIL_BELOW, q);
  }

  private static double polynomial(double[] coefficients, double x) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }
}
