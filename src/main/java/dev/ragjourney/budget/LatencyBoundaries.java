package dev.ragjourney.budget;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Upper boundaries of the latency histograms, in seconds: 24 log-spaced from 4 ms to the budget,
 * then 1.25 and 2 times the budget. They depend on the total alone, so that windows measured under
 * different caps add up.
 */
public final class LatencyBoundaries {
  private static final int STEPS = 24;
  private static final double LOWEST_SECONDS = 0.004;

  private LatencyBoundaries() {}

  public static List<Double> of(Duration total) {
    double budget = total.toNanos() / 1e9;
    double ratio = Math.pow(budget / LOWEST_SECONDS, 1.0 / (STEPS - 1));
    List<Double> boundaries = new ArrayList<>(STEPS + 2);
    for (int i = 0; i < STEPS - 1; i++) {
      boundaries.add(roundedToMicros(LOWEST_SECONDS * Math.pow(ratio, i)));
    }
    boundaries.add(budget);
    boundaries.add(budget * 1.25);
    boundaries.add(budget * 2);
    return List.copyOf(boundaries);
  }

  private static double roundedToMicros(double seconds) {
    return Math.round(seconds * 1e6) / 1e6;
  }
}
