package dev.ragjourney.rebalance;

import dev.ragjourney.rebalance.StageModel.AtLevel;
import dev.ragjourney.rebalance.StageModel.Range;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Journeys on a grid for tests: one level, and knobs that may be anything. */
final class Models {
  private Models() {}

  static JourneyModel serial(int horizon, StageModel... stages) {
    List<List<Integer>> steps = new ArrayList<>();
    for (int i = 0; i < stages.length; i++) {
      steps.add(List.of(i));
    }
    return new JourneyModel(horizon, List.of(stages), steps, 1);
  }

  static StageModel optional(CellLaw law) {
    return stage(law, null, false, false);
  }

  /** Without a fallback. */
  static StageModel required(CellLaw law) {
    return stage(law, null, false, true);
  }

  static StageModel hedged(CellLaw law, CellLaw fallback) {
    return stage(law, fallback, false, true);
  }

  static StageModel cancelling(CellLaw law, CellLaw fallback) {
    return stage(law, fallback, true, true);
  }

  private static StageModel stage(
      CellLaw law, @Nullable CellLaw fallback, boolean cancels, boolean fatal) {
    int horizon = law.last();
    return new StageModel(
        law,
        fallback,
        0,
        cancels,
        fatal,
        horizon,
        horizon + 1,
        0,
        0,
        List.of(new AtLevel(true, 0, 0, horizon)),
        new Range(0, horizon),
        new Range(0, horizon));
  }

  static StageModel capped(StageModel stage, Range caps) {
    return with(stage, stage.levels(), caps, stage.holds());
  }

  static StageModel holding(StageModel stage, Range holds) {
    return with(stage, stage.levels(), stage.caps(), holds);
  }

  static StageModel atLevels(StageModel stage, AtLevel... levels) {
    return with(stage, List.of(levels), stage.caps(), stage.holds());
  }

  private static StageModel with(StageModel stage, List<AtLevel> levels, Range caps, Range holds) {
    return new StageModel(
        stage.law(),
        stage.fallbackLaw(),
        stage.failing(),
        stage.cancels(),
        stage.fatal(),
        stage.failAfter(),
        stage.fallbackCap(),
        stage.fallbackLead(),
        stage.fallbackNeeds(),
        levels,
        caps,
        holds);
  }

  /** Points of a law, and their shares. */
  static CellLaw points(int horizon, int[] points, double[] shares) {
    double[] mass = new double[horizon + 1];
    for (int i = 0; i < points.length; i++) {
      if (points[i] <= horizon) {
        mass[points[i]] += shares[i];
      }
    }
    return CellLaw.ofMass(mass);
  }
}
