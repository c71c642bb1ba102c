package dev.ragjourney.rebalance;

import java.util.List;

/** How a step of stages ends: the end of its only stage, or of the slowest of several. */
final class StepEnd {
  private final JourneyModel model;
  private final StageTimes times = new StageTimes();
  private final StageTimes failed = new StageTimes();
  private final StageEnd end;
  private final StageEnd beside;

  StepEnd(JourneyModel model) {
    this.model = model;
    end = new StageEnd(model.horizon());
    beside = new StageEnd(model.horizon());
  }

  /**
   * Valid until the next call.
   *
   * @param running stages that run side by side, at least one
   */
  StageEnd of(List<Integer> running, int level, int start, Settings settings) {
    int left = model.horizon() - start;
    fill(end, running.getFirst(), level, left, settings);
    for (int i = 1; i < running.size(); i++) {
      fill(beside, running.get(i), level, left, settings);
      end.beside(beside, left);
    }
    return end;
  }

  private void fill(StageEnd into, int stage, int level, int left, Settings settings) {
    StageModel of = model.stages().get(stage);
    StageModel.AtLevel at = of.levels().get(level);
    times.set(of, at, left, settings.cap(stage), settings.hold(stage, level, at));
    into.of(of, times, left);
    if (of.failing() > 0 && times.starts()) {
      failed.withoutCall(of, at, left);
      into.failing(of, failed, left);
    }
  }
}
