package dev.ragjourney.rebalance;

import java.util.List;

/** What a step that starts at one moment leads to. */
final class StepProspect {
  private final JourneyModel model;
  private final StageTimes times = new StageTimes();
  private final Prospect prospect;
  private final StepEnd end;
  private double full;
  private double missFull;
  private double missDegraded;

  StepProspect(JourneyModel model) {
    this.model = model;
    prospect = new Prospect(model.horizon());
    end = new StepEnd(model);
  }

  /**
   * @param running the stages that the level runs
   * @param next from the step's end on
   */
  void at(List<Integer> running, int level, int start, Settings settings, Outlook next) {
    int state = JourneyModel.stateOf(level);
    if (running.isEmpty()) {
      full = level == 0 ? next.full()[start] : 0;
      missFull = next.miss(0)[start];
      missDegraded = next.miss(state)[start];
    } else if (running.size() == 1) {
      single(running.getFirst(), level, start, settings, next);
    } else {
      several(end.of(running, level, start, settings), level, start, next);
    }
  }

  private void single(int stage, int level, int start, Settings settings, Outlook next) {
    StageModel of = model.stages().get(stage);
    StageModel.AtLevel at = of.levels().get(level);
    int left = model.horizon() - start;
    double[] degraded = next.miss(JourneyModel.stateOf(level));
    times.set(of, at, left, settings.cap(stage), settings.hold(stage, level, at));
    prospect.prepare(of, at, start, left, null, degraded, degraded);
    prospect.ask(of, times, start, null, degraded, degraded);
    missDegraded = prospect.miss();
    if (level == 0) {
      prospect.prepare(of, at, start, left, next.full(), next.miss(0), degraded);
      prospect.ask(of, times, start, next.full(), next.miss(0), degraded);
      full = prospect.full();
      missFull = prospect.miss();
    }
  }

  private void several(StageEnd ended, int level, int start, Outlook next) {
    double[] degraded = next.miss(JourneyModel.stateOf(level));
    full = 0;
    missFull = ended.fatal();
    missDegraded = ended.fatal();
    for (int x = 0; x <= ended.last(); x++) {
      double done = ended.done(x);
      double less = ended.less(x);
      missDegraded += (done + less) * degraded[start + x];
      if (level == 0) {
        full += done * next.full()[start + x];
        missFull += done * next.miss(0)[start + x] + less * degraded[start + x];
      }
    }
  }

  double full() {
    return full;
  }

  /** Of those that are full so far. */
  double missFull() {
    return missFull;
  }

  /** Of those that are not. */
  double missDegraded() {
    return missDegraded;
  }
}
