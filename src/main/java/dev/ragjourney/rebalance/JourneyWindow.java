package dev.ragjourney.rebalance;

import java.util.List;
import java.util.Map;

/**
 * What one journey's pods measured in one window.
 *
 * @param stages by stage name
 * @param answers counts by outcome label ({@code full}, {@code degraded}, {@code static}, {@code
 *     late}, {@code error}) of the journeys that had their own whole budget
 * @param levels counts of answers by level name
 * @param duration the counted quantity of the journey
 * @param remainingAtGenerate seconds left when generate started
 * @param defects reasons why the window cannot be judged as a whole, like {@code NotFinite}; empty
 *     for a sound window
 */
public record JourneyWindow(
    Map<String, StageWindow> stages,
    Map<String, Double> answers,
    Map<String, Double> levels,
    LatencyHistogram duration,
    LatencyHistogram remainingAtGenerate,
    List<Defect> defects) {
  public JourneyWindow {
    stages = Map.copyOf(stages);
    answers = Map.copyOf(answers);
    levels = Map.copyOf(levels);
    defects = List.copyOf(defects);
  }

  /**
   * @param reason a condition reason: {@code NotFinite}, {@code CounterReset}, {@code
   *     LayoutChanged}, {@code Stale}
   * @param message which series, and what was seen
   */
  public record Defect(String reason, String message) {}
}
