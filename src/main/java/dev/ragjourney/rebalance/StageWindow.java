package dev.ragjourney.rebalance;

import java.util.Map;

/**
 * What one stage's primary calls in their full form ({@code v0}) measured in one window.
 *
 * @param started calls started
 * @param completed durations of the calls that gave a result
 * @param capCut durations of the calls cut at the stage's cap
 * @param deadlineCut durations of the calls cut at the journey's time
 * @param errors calls that failed
 * @param skipped journeys in which the stage did not start, by reason
 */
public record StageWindow(
    double started,
    LatencyHistogram completed,
    LatencyHistogram capCut,
    LatencyHistogram deadlineCut,
    double errors,
    Map<String, Double> skipped) {
  public StageWindow {
    skipped = Map.copyOf(skipped);
  }
}
