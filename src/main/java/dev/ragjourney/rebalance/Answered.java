package dev.ragjourney.rebalance;

import java.util.List;

/**
 * How the journeys of some slices ended.
 *
 * @param all answers
 * @param full those of full quality within the budget
 * @param missed static, late and failed ones
 */
record Answered(double all, double full, double missed) {
  /** So many missed answers speak for the forecast before any was seen. */
  private static final double PRIOR = 10;

  private static final double LEAST = 0.5;
  private static final double MOST = 3;

  static Answered of(WindowSlice slice) {
    double all = slice.answers().values().stream().mapToDouble(Double::doubleValue).sum();
    double full = slice.answers().getOrDefault("full", 0.0);
    return new Answered(all, full, all - full - slice.answers().getOrDefault("degraded", 0.0));
  }

  /**
   * How many times as many answers were missed as forecast. Missed answers are rare, so that their
   * number is taken for a Poisson one, and its rate per forecast for a gamma one with mean 1: the
   * factor is {@code (missed + 10) / (forecast + 10)}, between 0.5 and 3.
   *
   * @param forecast of the settings that were in force
   */
  static double missedPerForecast(List<Answered> answered, Forecast forecast) {
    double missed = 0;
    double expected = 0;
    for (Answered slice : answered) {
      missed += slice.missed;
      expected += slice.all * forecast.miss();
    }
    return Math.clamp((missed + PRIOR) / (expected + PRIOR), LEAST, MOST);
  }
}
