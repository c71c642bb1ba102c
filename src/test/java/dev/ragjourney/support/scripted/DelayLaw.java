package dev.ragjourney.support.scripted;

import java.util.random.RandomGenerator;

/**
 * How long an answer takes: lognormal, with an optional second mode that a share of the answers is
 * drawn from. A sigma of 0 is a fixed delay.
 *
 * @param medianMs of the first mode, milliseconds
 * @param sigma of the first mode's logarithm; p95 = median × e^(1.645 sigma)
 * @param secondShare 0…1, the share of the second mode
 * @param secondMedianMs of the second mode, milliseconds
 * @param secondSigma of the second mode's logarithm
 */
public record DelayLaw(
    double medianMs, double sigma, double secondShare, double secondMedianMs, double secondSigma) {
  public static final DelayLaw NONE = fixed(0);

  public DelayLaw {
    requireAtLeastZero("medianMs", medianMs);
    requireAtLeastZero("sigma", sigma);
    requireAtLeastZero("secondMedianMs", secondMedianMs);
    requireAtLeastZero("secondSigma", secondSigma);
    if (!(secondShare >= 0 && secondShare <= 1)) {
      throw new IllegalArgumentException("secondShare is " + secondShare + ", must be 0 to 1");
    }
  }

  public static DelayLaw fixed(double millis) {
    return new DelayLaw(millis, 0, 0, 0, 0);
  }

  public static DelayLaw lognormal(double medianMs, double sigma) {
    return new DelayLaw(medianMs, sigma, 0, 0, 0);
  }

  public DelayLaw withSecondMode(double share, double median, double sigmaOfSecond) {
    return new DelayLaw(medianMs, sigma, share, median, sigmaOfSecond);
  }

  /** One delay in nanoseconds. Always draws twice, so that a share of 0 keeps the sequence. */
  long drawNanos(RandomGenerator random) {
    boolean second = random.nextDouble() < secondShare;
    double gauss = random.nextGaussian();
    double millis =
        second
            ? secondMedianMs * Math.exp(secondSigma * gauss)
            : medianMs * Math.exp(sigma * gauss);
    return Math.round(millis * 1e6);
  }

  private static void requireAtLeastZero(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " is " + value + ", must be 0 or more");
    }
  }
}
