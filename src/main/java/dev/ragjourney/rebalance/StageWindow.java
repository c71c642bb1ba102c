package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one stage measured in one slice. Durations are those of primary calls in the stage's full
 * form ({@code v0}).
 *
 * @param started calls started in the full form
 * @param startedOtherForms calls started in a cheaper form, at a lower level
 * @param completed durations of the calls that gave a result
 * @param capCut durations of the calls cut at the stage's cap
 * @param deadlineCut durations of the calls cut at the journey's time
 * @param errors calls that failed
 * @param skipped journeys in which the stage did not start, by reason
 * @param caps the caps that the pods had; null where they report none
 */
public record StageWindow(
    double started,
    double startedOtherForms,
    LatencyHistogram completed,
    LatencyHistogram capCut,
    LatencyHistogram deadlineCut,
    double errors,
    Map<String, Double> skipped,
    @Nullable CapSpan caps) {
  public StageWindow {
    skipped = Map.copyOf(skipped);
  }

  /** The lowest and the highest cap that any pod had at any time of the slice. */
  public record CapSpan(Duration lowest, Duration highest) {}
}
