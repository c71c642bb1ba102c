package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The best settings of a journey: climbed to on a coarse grid, polished on a fine one. */
final class QualitySearch {
  static final int FINE = 300;
  private static final int COARSE = 50;

  private final JourneyBudget budget;
  private final Objective objective;
  private final double missedPerForecast;
  private final Grid grid;
  private final JourneyOnGrid onGrid;
  private final JourneyModel model;
  private final Grid coarse;
  private final JourneyOnGrid onRough;
  private final JourneyModel rough;
  private final Map<Settings, Forecast> known = new HashMap<>();
  private final Map<Question, Replay.Gain> gains = new HashMap<>();
  private @Nullable Replay replay;

  private record Question(Settings from, Settings to, double missCosts) {}

  QualitySearch(JourneyBudget budget, RebalancePolicy policy, Evidence evidence) {
    this.budget = budget;
    grid = fine(budget);
    onGrid = JourneyOnGrid.of(budget, grid);
    model =
        onGrid.model(evidence.laws(), evidence.fallbacks(), evidence.failing(), policy.capRanges());
    coarse = Grid.of(JourneyOnGrid.horizon(budget), COARSE);
    onRough = JourneyOnGrid.of(budget, coarse);
    rough =
        onRough.model(
            onCoarse(evidence.laws()),
            onCoarse(evidence.fallbacks()),
            evidence.failing(),
            policy.capRanges());
    missedPerForecast = Answered.missedPerForecast(evidence.answered(), forecast(inForce()));
    objective = Objective.missing(policy.missRatio() / Math.max(1, missedPerForecast));
  }

  static Grid fine(JourneyBudget budget) {
    return Grid.of(JourneyOnGrid.horizon(budget), FINE);
  }

  Grid grid() {
    return grid;
  }

  /** The grid of {@link #rough}. */
  Grid coarse() {
    return coarse;
  }

  JourneyOnGrid onGrid() {
    return onGrid;
  }

  JourneyModel model() {
    return model;
  }

  Objective objective() {
    return objective;
  }

  /** Of settings on {@link #grid}. */
  Forecast forecast(Settings settings) {
    return known.computeIfAbsent(settings, any -> Outlook.of(model, any)[0].forecast());
  }

  /** The journeys on which settings are compared one by one. */
  Replay replay() {
    if (replay == null) {
      replay = Replay.of(model);
    }
    return replay;
  }

  /** What {@link Replay#gain} says, asked once. */
  Replay.Gain gain(Settings from, Settings to, double missCosts) {
    return gains.computeIfAbsent(
        new Question(from, to, missCosts), _ -> replay().gain(from, to, missCosts));
  }

  /** The same journey with less detail. */
  JourneyModel rough() {
    return rough;
  }

  /** The settings in force, in less detail. */
  Settings roughInForce() {
    return onRough.settings(budget);
  }

  /**
   * How many times as many answers are missed as forecast for the settings in force, by what the
   * answers since the last move say; stages that are slow together are the usual cause.
   */
  double missedPerForecast() {
    return missedPerForecast;
  }

  Settings inForce() {
    return onGrid.settings(budget);
  }

  Settings best() {
    Settings climbed =
        new Ascent(rough, objective)
            .mostPromising(List.of(roughInForce(), Settings.loosest(rough)));
    Ascent ascent = new Ascent(model, objective);
    return ascent.settled(refined(climbed), inForce());
  }

  private Settings refined(Settings settings) {
    int[] caps = new int[model.stages().size()];
    int[] holds = new int[caps.length];
    for (int i = 0; i < caps.length; i++) {
      StageModel stage = model.stages().get(i);
      double cap = coarse.limit(settings.cap(i));
      double hold = coarse.seconds(settings.hold(i));
      caps[i] =
          settings.cap(i) == rough.stages().get(i).caps().highest()
              ? stage.caps().highest()
              : stage.caps().clamp(grid.upTo(Seconds.toDuration(cap)));
      holds[i] = stage.holds().clamp(grid.points(Seconds.toDuration(hold)));
    }
    return Settings.of(caps, holds);
  }

  private Map<String, CellLaw> onCoarse(Map<String, CellLaw> laws) {
    Map<String, CellLaw> resampled = new HashMap<>();
    laws.forEach((stage, law) -> resampled.put(stage, law.on(grid, coarse)));
    return resampled;
  }
}
