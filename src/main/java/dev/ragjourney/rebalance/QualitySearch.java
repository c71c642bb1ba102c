package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The best settings of a journey: climbed to on a coarse grid, polished on a fine one. */
final class QualitySearch {
  static final int FINE = 300;
  private static final int COARSE = 50;

  private final JourneyBudget budget;
  private final Objective objective;
  private final Grid grid;
  private final JourneyOnGrid onGrid;
  private final JourneyModel model;
  private final Grid coarse;
  private final JourneyOnGrid onRough;
  private final JourneyModel rough;
  private final Map<Settings, Forecast> known = new HashMap<>();

  QualitySearch(JourneyBudget budget, RebalancePolicy policy, Evidence evidence) {
    this.budget = budget;
    objective = Objective.missing(policy.missRatio());
    grid = fine(budget);
    onGrid = JourneyOnGrid.of(budget, grid);
    model = onGrid.model(evidence.laws(), evidence.fallbacks(), policy.capRanges());
    coarse = Grid.of(JourneyOnGrid.horizon(budget), COARSE);
    onRough = JourneyOnGrid.of(budget, coarse);
    rough =
        onRough.model(
            onCoarse(evidence.laws()), onCoarse(evidence.fallbacks()), policy.capRanges());
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

  /** The same journey with less detail. */
  JourneyModel rough() {
    return rough;
  }

  /** The settings in force, in less detail. */
  Settings roughInForce() {
    return onRough.settings(budget);
  }

  Settings inForce() {
    return onGrid.settings(budget);
  }

  Settings best() {
    Settings climbed =
        new Ascent(rough, objective).best(List.of(roughInForce(), Settings.loosest(rough)));
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
