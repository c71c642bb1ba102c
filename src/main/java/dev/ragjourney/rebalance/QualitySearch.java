package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The best settings of a journey: climbed to on a coarse grid, polished on a fine one. */
final class QualitySearch {
  static final int FINE = 300;
  private static final int COARSE = 75;

  private final JourneyBudget budget;
  private final RebalancePolicy policy;
  private final Evidence evidence;
  private final Objective objective;
  private final Grid grid;
  private final JourneyOnGrid onGrid;
  private final JourneyModel model;

  QualitySearch(JourneyBudget budget, RebalancePolicy policy, Evidence evidence) {
    this.budget = budget;
    this.policy = policy;
    this.evidence = evidence;
    objective = Objective.missing(policy.missRatio());
    grid = fine(budget);
    onGrid = JourneyOnGrid.of(budget, grid);
    model = onGrid.model(evidence.laws(), evidence.fallbacks(), policy.capRanges());
  }

  static Grid fine(JourneyBudget budget) {
    return Grid.of(JourneyOnGrid.horizon(budget), FINE);
  }

  Grid grid() {
    return grid;
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

  Forecast forecast(Settings settings) {
    return Outlook.of(model, settings)[0].forecast();
  }

  Settings best() {
    Grid coarse = Grid.of(JourneyOnGrid.horizon(budget), COARSE);
    JourneyOnGrid onCoarse = JourneyOnGrid.of(budget, coarse);
    JourneyModel rough =
        onCoarse.model(
            on(coarse, evidence.laws()), on(coarse, evidence.fallbacks()), policy.capRanges());
    Settings climbed =
        new Ascent(rough, objective)
            .best(List.of(onCoarse.settings(budget), Settings.loosest(rough)));
    Ascent ascent = new Ascent(model, objective);
    return ascent.contained(ascent.polished(refined(coarse, climbed)));
  }

  private Settings refined(Grid coarse, Settings settings) {
    int[] caps = new int[model.stages().size()];
    int[] holds = new int[caps.length];
    for (int i = 0; i < caps.length; i++) {
      StageModel stage = model.stages().get(i);
      double cap = coarse.limit(settings.cap(i));
      double hold = coarse.seconds(settings.hold(i));
      caps[i] = stage.caps().clamp(grid.upTo(Seconds.toDuration(cap)));
      holds[i] = stage.holds().clamp(grid.points(Seconds.toDuration(hold)));
    }
    return Settings.of(caps, holds);
  }

  private Map<String, CellLaw> on(Grid other, Map<String, CellLaw> laws) {
    Map<String, CellLaw> resampled = new HashMap<>();
    laws.forEach((stage, law) -> resampled.put(stage, law.on(grid, other)));
    return resampled;
  }
}
