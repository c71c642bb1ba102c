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
 * @param late of the calls in {@code capCut}, those that were let go on to learn how long they take
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
    Late late,
    @Nullable CapSpan caps) {
  public StageWindow {
    skipped = Map.copyOf(skipped);
  }

  /** Where no call went on after its cut. */
  public StageWindow(
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
    this(
        started,
        completed,
        capCut,
        deadlineCut,
        lost,
        errors,
        skipped,
        fallbackCompleted,
        fallbackCut,
        Late.NONE,
        caps);
  }

  /** Without calls of a fallback and without late ones. */
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

  /**
   * Calls that went on in the background after they were cut at the cap: a share of those that were
   * cut, taken by chance. Durations are from the call's start.
   *
   * @param completed durations of those that gave a result after all
   * @param stillRunning durations of those that had not ended at the journey's total
   */
  public record Late(LatencyHistogram completed, LatencyHistogram stillRunning) {
    public static final Late NONE = new Late(LatencyHistogram.EMPTY, LatencyHistogram.EMPTY);
  }

  /** The lowest and the highest cap that any pod had at any time of the slice. */
  public record CapSpan(Duration lowest, Duration highest) {}
}
