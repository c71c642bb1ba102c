package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pods count in one interval. */
final class Counts {
  private final JourneyBudget budget;
  private final List<Double> layout;
  private final StageCounts[] stages;
  private final Map<Outcome, Double> answers = new EnumMap<>(Outcome.class);
  private final Map<String, Double> levels = new HashMap<>();

  Counts(JourneyBudget budget) {
    this.budget = budget;
    layout = LatencyBoundaries.of(budget.total());
    stages = new StageCounts[budget.stages().size()];
    for (int s = 0; s < stages.length; s++) {
      stages[s] = new StageCounts(layout);
    }
  }

  StageCounts stage(int stage) {
    return stages[stage];
  }

  void answer(Outcome outcome, String level) {
    answers.merge(outcome, 1.0, Double::sum);
    levels.merge(level, 1.0, Double::sum);
  }

  Worth worth() {
    double all = answers.values().stream().mapToDouble(Double::doubleValue).sum();
    double full = answers.getOrDefault(Outcome.FULL, 0.0);
    double degraded = answers.getOrDefault(Outcome.DEGRADED, 0.0);
    return all > 0
        ? new Worth(full / all, degraded / all, (all - full - degraded) / all)
        : Worth.UNKNOWN;
  }

  /**
   * @param others settings that some of the pods had
   * @param defects why the figures cannot be judged
   */
  WindowSlice slice(
      Instant to,
      Duration interval,
      @Nullable JourneyBudget others,
      List<WindowSlice.Defect> defects) {
    Map<String, StageWindow> windows = new HashMap<>();
    Map<String, Double> fallbacks = new HashMap<>();
    for (int s = 0; s < stages.length; s++) {
      String name = budget.stages().get(s).name();
      windows.put(name, stages[s].window(span(s, others == null ? budget : others)));
      if (stages[s].fallbacksGiven() > 0) {
        fallbacks.put(name, stages[s].fallbacksGiven());
      }
    }
    Map<String, Double> byLabel = new HashMap<>();
    answers.forEach((outcome, count) -> byLabel.put(outcome.label(), count));
    return new WindowSlice(
        to.minus(interval),
        to,
        windows,
        byLabel,
        levels,
        fallbacks,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        defects);
  }

  private StageWindow.@Nullable CapSpan span(int stage, JourneyBudget others) {
    Duration one = budget.stages().get(stage).cap();
    Duration other = others.stages().get(stage).cap();
    if (one == null || other == null) {
      return null;
    }
    return one.compareTo(other) <= 0
        ? new StageWindow.CapSpan(one, other)
        : new StageWindow.CapSpan(other, one);
  }
}
