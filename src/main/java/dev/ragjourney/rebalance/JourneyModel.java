package dev.ragjourney.rebalance;

import java.util.ArrayList;
import java.util.List;

/**
 * A journey on a grid.
 *
 * @param horizon the last point that is in time
 * @param stages in order; the last one gives the answer
 * @param steps indexes of the stages that run side by side, in order
 * @param levels how many levels run stages; below them the answer is missed
 */
record JourneyModel(int horizon, List<StageModel> stages, List<List<Integer>> steps, int levels) {
  JourneyModel {
    stages = List.copyOf(stages);
    steps = steps.stream().map(List::copyOf).toList();
  }

  /** Two states at the first level, full so far and not, and one for each lower level. */
  int states() {
    return levels + 1;
  }

  static int levelOf(int state) {
    return Math.max(0, state - 1);
  }

  static int stateOf(int level) {
    return level + 1;
  }

  /** The first level at or below one that is possible when a step starts; may be none. */
  int level(int step, int current, int start) {
    int level = current;
    for (int stage : steps.get(step)) {
      List<StageModel.AtLevel> at = stages.get(stage).levels();
      while (level < levels && start > at.get(level).latest()) {
        level++;
      }
    }
    return level;
  }

  /** The same journey with one stage skipped at every level. */
  JourneyModel without(int stage) {
    return with(stage, stages.get(stage).skipped());
  }

  JourneyModel with(int stage, StageModel other) {
    List<StageModel> others = new ArrayList<>(stages);
    others.set(stage, other);
    return new JourneyModel(horizon, others, steps, levels);
  }

  /** The same journey without the levels above one. */
  JourneyModel from(int level) {
    return new JourneyModel(
        horizon, stages.stream().map(stage -> stage.from(level)).toList(), steps, levels - level);
  }

  /** The stages of a step that a level runs. */
  List<Integer> running(int step, int level) {
    return steps.get(step).stream()
        .filter(stage -> stages.get(stage).levels().get(level).runs())
        .toList();
  }

  /**
   * The share of journeys in which nothing would fail and that would be in time if nothing were
   * ever cut: no caps beat it.
   */
  double ceiling() {
    CellLaw sum = CellLaw.ofMass(start());
    double whole = 1;
    for (StageModel stage : stages) {
      whole *= 1 - stage.failing();
    }
    for (List<Integer> step : steps) {
      CellLaw slowest = stages.get(step.getFirst()).law();
      for (int beside : step.subList(1, step.size())) {
        slowest = slowest.slowerOf(stages.get(beside).law());
      }
      sum = sum.then(slowest);
    }
    return whole * (1 - sum.longer(horizon));
  }

  private double[] start() {
    double[] mass = new double[horizon + 1];
    mass[0] = 1;
    return mass;
  }
}
