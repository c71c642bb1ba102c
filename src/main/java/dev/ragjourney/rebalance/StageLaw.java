package dev.ragjourney.rebalance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the slices of a window say about a stage's latency.
 *
 * @param law null if too few calls tell
 * @param calls the calls behind it, older ones with less weight
 * @param slices how many of the newest slices it is learned from
 * @param drifted an older slice was left out, as its latencies were others
 */
record StageLaw(@Nullable CellLaw law, double calls, int slices, boolean drifted) {
  /** Older slices fade at this rate where each one by itself tells much … */
  private static final double FAST_DECAY = 0.6;

  /** … and at this rate where it does not. */
  private static final double SLOW_DECAY = 0.85;

  private static final double MUCH = 1_000;

  /** Two windows of one law differ by more than this in about one of 10,000 comparisons. */
  private static final double UNLIKELY = 2.2;

  private static final double LEAST_DRIFT = 0.06;

  /**
   * @param slices a table for each slice, oldest first
   */
  static StageLaw of(Grid grid, List<HazardTable> slices) {
    HazardTable sum = new HazardTable(grid);
    double weight = 1;
    int used = 0;
    for (HazardTable slice : slices.reversed()) {
      if (slice.calls() <= 0) {
        used++;
        continue;
      }
      if (sum.calls() > 0 && differ(slice, sum)) {
        return new StageLaw(sum.law(), sum.calls(), used, true);
      }
      used++;
      sum.add(slice, weight);
      weight *= slice.calls() >= MUCH ? FAST_DECAY : SLOW_DECAY;
    }
    return new StageLaw(sum.law(), sum.calls(), used, false);
  }

  private static boolean differ(HazardTable one, HazardTable other) {
    double error = UNLIKELY * Math.sqrt(1 / one.calls() + 1 / other.calls());
    return one.distance(other) > Math.max(LEAST_DRIFT, error);
  }
}
