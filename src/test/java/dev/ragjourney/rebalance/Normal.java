package dev.ragjourney.rebalance;

/** The standard normal law, by bisection of its distribution: slow, and right to 1e-9. */
final class Normal {
  private Normal() {}

  static double quantile(double share) {
    double low = -9;
    double high = 9;
    while (high - low > 1e-9) {
      double middle = (low + high) / 2;
      if (distribution(middle) < share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** Φ(x) = ½ + φ(x) (x + x³/3 + x⁵/(3·5) + …). */
  static double distribution(double x) {
    if (Math.abs(x) > 8) {
      return x < 0 ? 0 : 1;
    }
    double term = x;
    double sum = x;
    for (int odd = 3; Math.abs(term) > 1e-17; odd += 2) {
      term *= x * x / odd;
      sum += term;
    }
    return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }
}
