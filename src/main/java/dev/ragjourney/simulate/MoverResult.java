package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one mover. Figures are null where there is nothing to make them of: no requests, or
 * no forecasts.
 *
 * @param full share of full answers, in percent, the mean over the windows with requests
 * @param degraded the same of degraded ones
 * @param miss the same of missed ones
 * @param j the same of the objective
 * @param writes how often settings moved
 * @param recoveryWindows the most windows after a shift until J is within 1.5 points of where it
 *     settles
 * @param predictionErrorPoints by how much forecasts of full answers were wrong
 * @param windows one by one
 * @param holds windows after which a rule moved nothing, with its reason
 */
public record MoverResult(
    Mover mover,
    @Nullable Double full,
    @Nullable Double degraded,
    @Nullable Double miss,
    @Nullable Double j,
    int writes,
    int recoveryWindows,
    @Nullable Double predictionErrorPoints,
    List<Window> windows,
    List<Hold> holds) {
  public MoverResult {
    windows = List.copyOf(windows);
    holds = List.copyOf(holds);
  }

  /**
   * One window.
   *
   * @param settings in force in it
   * @param full in percent; null without requests
   * @param degraded in percent
   * @param miss in percent
   * @param j in points
   * @param predictedFull what the round after it forecast for these settings; null without one
   */
  public record Window(
      JourneyBudget settings,
      @Nullable Double full,
      @Nullable Double degraded,
      @Nullable Double miss,
      @Nullable Double j,
      @Nullable Double predictedFull) {}

  /** A round without a move. */
  public record Hold(int window, String reason, String message) {}
}
