package dev.ragjourney.rebalance;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One interval of a journey's window. Windows come in slices so that a stage is judged only on
 * those that lie wholly after the last change of its cap.
 *
 * @param from begin of the slice
 * @param to end of the slice
 * @param stages by stage name
 * @param answers counts by outcome label ({@code full}, {@code degraded}, {@code static}, {@code
 *     late}, {@code error}) of the journeys that had their own whole budget
 * @param levels counts of answers by level name
 * @param fallbacks counts of fallbacks that gave a result, by stage name
 * @param duration the counted quantity of the journey
 * @param remainingAtGenerate seconds left when generate started
 * @param defects why the slice cannot be judged; empty for a sound one
 */
public record WindowSlice(
    Instant from,
    Instant to,
    Map<String, StageWindow> stages,
    Map<String, Double> answers,
    Map<String, Double> levels,
    Map<String, Double> fallbacks,
    LatencyHistogram duration,
    LatencyHistogram remainingAtGenerate,
    List<Defect> defects) {
  public WindowSlice {
    stages = Map.copyOf(stages);
    answers = Map.copyOf(answers);
    levels = Map.copyOf(levels);
    fallbacks = Map.copyOf(fallbacks);
    defects = List.copyOf(defects);
  }

  /** With those of its stages only that count. */
  WindowSlice only(Predicate<String> counts) {
    if (stages.keySet().stream().allMatch(counts)) {
      return this;
    }
    Map<String, StageWindow> counting = new HashMap<>(stages);
    counting.keySet().removeIf(counts.negate());
    return new WindowSlice(
        from,
        to,
        counting,
        answers,
        levels,
        fallbacks,
        duration,
        remainingAtGenerate,
        counting.isEmpty() ? List.of() : defects);
  }

  /**
   * Something that makes figures unusable.
   *
   * @param reason {@code NotFinite}, {@code CounterReset}, {@code SeveralSeries} or {@code
   *     LayoutChanged}
   * @param message which series, and what was seen
   */
  public record Defect(String reason, String message) {}
}
