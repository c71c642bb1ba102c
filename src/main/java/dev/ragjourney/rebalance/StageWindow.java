package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one stage measured in one slice. Durations and errors are those of primary calls in the
 * stage's full form ({@code v0}).
 *
 * @param started primary calls started, in whatever form
 * @param completed durations of the calls that gave a result
 * @param capCut durations of the calls cut at the stage's cap
 * @param deadlineCut durations of the calls cut at the journey's time
 * @param lost durations of the calls that were left behind by their own fallback: like a cut, each
 *     says "longer than this"
 * @param errors calls that failed
 * @param skipped journeys in which the stage did not start, by reason
 * @param fallbackCompleted durations of its fallback's calls that gave a result; boundaries of its
 *     own, empty where there were none
 * @param fallbackCut durations of its fallback's calls that were cut or left behind
 * @param caps the caps that the pods had; null where they report none
 */
public record StageWindow(
    double started,
    LatencyHistogram completed,
    LatencyHistogram capCut,
    LatencyHistogram deadlineCut,
    LatencyHistogram lost,
    double errors,
    Map<String, Double> skipped,
    LatencyHistogram fallbackCompleted,
    LatencyHistogram fallbackCut,
    @Nullable CapSpan caps) {
  public StageWindow {
    skipped = Map.copyOf(skipped);
  }

  /** Without calls of a fallback. */
  public StageWindow(
      double started,
      LatencyHistogram completed,
      LatencyHistogram capCut,
      LatencyHistogram deadlineCut,
      LatencyHistogram lost,
      double errors,
      Map<String, Double> skipped,
      @Nullable CapSpan caps) {
    this(
        started,
        completed,
        capCut,
        deadlineCut,
        lost,
        errors,
        skipped,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        caps);
  }

  /** The lowest and the highest cap that any pod had at any time of the slice. */
  public record CapSpan(Duration lowest, Duration highest) {}
}
