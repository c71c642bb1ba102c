package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sum of a stage's slices.
 *
 * @param calls in the full form, failed ones included
 * @param journeys in which the stage ran, in whatever form, or was skipped
 * @param oneCap all calls had the cap in force
 */
record StageSample(
    double calls,
    double journeys,
    LatencyHistogram completed,
    LatencyHistogram capCut,
    LatencyHistogram deadlineCut,
    LatencyHistogram lost,
    double errors,
    Map<String, Double> skipped,
    boolean oneCap) {
  static final String NO_TIME = "no_time";

  StageSample {
    skipped = Map.copyOf(skipped);
  }

  /** Adds up those slices whose histograms have the layout; the others do not count. */
  static StageSample sum(List<StageWindow> slices, List<Double> layout, boolean oneCap) {
    LatencyHistogram completed = LatencyHistogram.zero(layout);
    LatencyHistogram capCut = completed;
    LatencyHistogram deadlineCut = completed;
    LatencyHistogram lost = completed;
    double errors = 0;
    double started = 0;
    Map<String, Double> skipped = new HashMap<>();
    for (StageWindow slice : slices) {
      Optional<LatencyHistogram> done = slice.completed().on(layout);
      Optional<LatencyHistogram> atCap = slice.capCut().on(layout);
      Optional<LatencyHistogram> atDeadline = slice.deadlineCut().on(layout);
      Optional<LatencyHistogram> leftBehind = slice.lost().on(layout);
      if (done.isEmpty() || atCap.isEmpty() || atDeadline.isEmpty() || leftBehind.isEmpty()) {
        continue;
      }
      completed = completed.plus(done.get());
      capCut = capCut.plus(atCap.get());
      deadlineCut = deadlineCut.plus(atDeadline.get());
      lost = lost.plus(leftBehind.get());
      errors += slice.errors();
      started += slice.started();
      slice.skipped().forEach((reason, count) -> skipped.merge(reason, count, Double::sum));
    }
    double timed = completed.total() + capCut.total() + deadlineCut.total() + lost.total();
    double calls = timed + errors;
    double skips = total(skipped);
    return new StageSample(
        calls,
        Math.max(started, calls) + skips,
        completed,
        capCut,
        deadlineCut,
        lost,
        errors,
        skipped,
        oneCap);
  }

  /** Calls that tell of the stage's latency: all but the failed ones. */
  double timed() {
    return calls - errors;
  }

  double capCutRatio() {
    return ratio(capCut.total(), timed());
  }

  double deadlineCutRatio() {
    return ratio(deadlineCut.total(), timed());
  }

  double timeoutRatio() {
    return ratio(capCut.total() + deadlineCut.total(), calls);
  }

  double errorRatio() {
    return ratio(errors, calls);
  }

  /** Share of the journeys in which the stage did not start in its full form. */
  double notStartedRatio() {
    return ratio(journeys - calls, journeys);
  }

  double noTimeRatio() {
    return ratio(skipped.getOrDefault(NO_TIME, 0.0), journeys);
  }

  /** Share of the journeys without a result of the stage. An optional stage's failure is a skip. */
  double skippedRatio(boolean optional) {
    double failed = optional ? capCut.total() + deadlineCut.total() + errors : 0;
    return ratio(total(skipped) + failed, journeys);
  }

  LifeTable law(@Nullable Duration cap) {
    Double capSeconds = cap == null || !oneCap ? null : Seconds.of(cap);
    return LifeTable.of(completed, capCut, deadlineCut.plus(lost), capSeconds);
  }

  private static double total(Map<String, Double> counts) {
    return counts.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
  }
}
