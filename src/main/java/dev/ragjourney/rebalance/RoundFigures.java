package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a round saw of one journey, for status.
 *
 * @param metricsReason {@code Measured} when the window could be judged, else why not: a reason of
 *     MetricsAvailable
 * @param metricsMessage for a person
 * @param stages in the budget's order
 * @param journey of the answers
 * @param forecasts null where some stage's law is not known
 */
public record RoundFigures(
    String metricsReason,
    String metricsMessage,
    List<StageFigures> stages,
    JourneyFigures journey,
    @Nullable Forecasts forecasts) {
  public static final String MEASURED = "Measured";

  public RoundFigures {
    stages = List.copyOf(stages);
  }

  /** Without forecasts. */
  public RoundFigures(
      String metricsReason,
      String metricsMessage,
      List<StageFigures> stages,
      JourneyFigures journey) {
    this(metricsReason, metricsMessage, stages, journey, null);
  }

  RoundFigures with(Forecasts found) {
    return new RoundFigures(metricsReason, metricsMessage, stages, journey, found);
  }

  public boolean measured() {
    return metricsReason.equals(MEASURED);
  }

  /**
   * One stage; a figure that is not known is null.
   *
   * @param samples calls started in the window
   * @param p50 of completed and cut calls
   * @param p95 known exactly, as fewer than 5 % of the calls were cut
   * @param p95AtLeast a lower bound where it is not known
   * @param need what the rule would give
   * @param timeoutRatio share of the started calls that were cut
   * @param skippedRatio share of the journeys in which the stage gave no result
   * @param limitedBy the earlier stage that used up the time; null if none did
   */
  public record StageFigures(
      String stage,
      long samples,
      @Nullable Duration p50,
      @Nullable Duration p95,
      @Nullable Duration p95AtLeast,
      @Nullable Duration need,
      @Nullable Double timeoutRatio,
      @Nullable Double skippedRatio,
      @Nullable String limitedBy) {}

  /**
   * The answers of journeys that had their own whole budget.
   *
   * @param answers how many
   * @param p95 of the counted quantity
   * @param withinBudgetRatio full and degraded
   * @param usualLevel the level that most answers had
   * @param remainingAtGenerate the median
   */
  public record JourneyFigures(
      long answers,
      @Nullable Duration p95,
      @Nullable Double withinBudgetRatio,
      @Nullable Double degradedRatio,
      @Nullable Double missRatio,
      @Nullable String usualLevel,
      @Nullable Duration remainingAtGenerate) {
    public static final JourneyFigures NONE =
        new JourneyFigures(0, null, null, null, null, null, null);
  }
}
