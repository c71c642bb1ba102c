package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** The best settings of a journey whose laws are known: what no rule that learns them can beat. */
public final class BestSettings {
  private static final int POINTS = 150;

  private BestSettings() {}

  /**
   * Stages are taken for independent.
   *
   * @param laws the share of a stage's calls that take longer than so many seconds, by stage
   * @param fallbacks the same of the fallbacks; one that is absent takes as long as it may
   * @return the budget with the best caps within their ranges, and hold-backs
   */
  public static JourneyBudget of(
      JourneyBudget budget,
      RebalancePolicy policy,
      Map<String, DoubleUnaryOperator> laws,
      Map<String, DoubleUnaryOperator> fallbacks) {
    Grid grid = Grid.of(JourneyOnGrid.horizon(budget), POINTS);
    JourneyOnGrid onGrid = JourneyOnGrid.of(budget, grid);
    JourneyModel model =
        onGrid.model(on(grid, laws), on(grid, fallbacks), Map.of(), policy.capRanges());
    Ascent ascent = new Ascent(model, Objective.missing(policy.missRatio()));
    Settings best =
        ascent.polished(ascent.best(List.of(onGrid.settings(budget), Settings.loosest(model))));
    List<StageBudget> stages = new ArrayList<>();
    for (int i = 0; i < budget.stages().size(); i++) {
      stages.add(stage(i, budget.stages().get(i), best, onGrid, model, policy));
    }
    return budget.withStages(stages);
  }

  private static StageBudget stage(
      int index,
      StageBudget stage,
      Settings best,
      JourneyOnGrid onGrid,
      JourneyModel model,
      RebalancePolicy policy) {
    StageModel of = model.stages().get(index);
    RebalancePolicy.CapRange range = policy.capRanges().get(stage.name());
    StageBudget result = stage;
    if (stage.cap() != null && range != null && !of.caps().fixed()) {
      result = result.withCap(onGrid.cap(best.cap(index), range));
    }
    if (!of.holds().fixed()) {
      Duration held = onGrid.holdBack(index, best.hold(index));
      Duration least = onGrid.leastHold(index);
      result = result.withHoldBack(held.compareTo(least) > 0 ? held : null);
    }
    return result;
  }

  /** A share of longer calls at the begin of every cell, as the model has it. */
  private static Map<String, CellLaw> on(Grid grid, Map<String, DoubleUnaryOperator> laws) {
    Map<String, CellLaw> onGrid = new HashMap<>();
    laws.forEach(
        (stage, law) -> {
          double[] longer = new double[grid.last() + 2];
          for (int edge = 0; edge < longer.length; edge++) {
            longer[edge] = edge == 0 ? 1 : law.applyAsDouble(edge * grid.step());
          }
          onGrid.put(stage, CellLaw.ofLonger(longer));
        });
    return onGrid;
  }
}
