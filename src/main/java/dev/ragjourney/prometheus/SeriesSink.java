package dev.ragjourney.prometheus;

import java.util.Map;

/** Takes the series of an answer, one at a time. */
interface SeriesSink {
  /**
   * One series.
   *
   * @param millis times of its points
   * @param values as many, NaN and infinities among them
   */
  void series(Map<String, String> labels, long[] millis, double[] values);
}
