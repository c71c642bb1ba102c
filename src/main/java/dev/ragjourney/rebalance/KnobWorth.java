package dev.ragjourney.rebalance;

import dev.ragjourney.rebalance.StageModel.AtLevel;
import java.util.ArrayList;
import java.util.List;

/** What each value of one knob is worth, all others being as they are. */
final class KnobWorth {
  private final JourneyModel model;
  private final StageTimes times = new StageTimes();
  private final Prospect prospect;
  private final StepProspect steps;

  KnobWorth(JourneyModel model) {
    this.model = model;
    prospect = new Prospect(model.horizon());
    steps = new StepProspect(model);
  }

  /**
   * @param crowd admitted to the knob's step
   * @param next from the step's end on
   */
  double[] of(Knob knob, int[] values, Settings settings, Crowd crowd, Outlook next, Objective by) {
    double[] full = new double[values.length];
    double[] miss = new double[values.length];
    List<Settings> choices = new ArrayList<>(values.length);
    for (int value : values) {
      choices.add(knob.set(settings, value));
    }
    double elsewhere = crowd.missed();
    for (int level = 0; level < model.levels(); level++) {
      int state = JourneyModel.stateOf(level);
      List<Integer> running = model.running(knob.step(), level);
      boolean touched = running.contains(knob.stage()) && (level == 0 || knob.cap());
      for (int point = 0; point <= model.horizon(); point++) {
        boolean degraded = crowd.anybody(state, point);
        boolean stillFull = level == 0 && crowd.anybody(0, point);
        if (!degraded && !stillFull) {
          continue;
        }
        if (!touched) {
          steps.at(running, level, point, settings, next);
          elsewhere += crowd.share(state, point) * steps.missDegraded();
        } else if (running.size() == 1) {
          single(knob.stage(), level, point, choices, crowd, next, full, miss);
        } else {
          several(running, level, point, choices, crowd, next, full, miss);
        }
      }
    }
    double[] worth = new double[values.length];
    for (int i = 0; i < worth.length; i++) {
      worth[i] = by.worth(new Forecast(full[i], miss[i] + elsewhere));
    }
    return worth;
  }

  private void single(
      int stage,
      int level,
      int point,
      List<Settings> choices,
      Crowd crowd,
      Outlook next,
      double[] full,
      double[] miss) {
    StageModel of = model.stages().get(stage);
    AtLevel at = of.levels().get(level);
    int left = model.horizon() - point;
    double[] less = next.miss(JourneyModel.stateOf(level));
    double degraded = crowd.share(JourneyModel.stateOf(level), point);
    double stillFull = level == 0 ? crowd.share(0, point) : 0;
    if (degraded > 0) {
      prospect.prepare(of, at, point, left, null, less, less);
      for (int i = 0; i < miss.length; i++) {
        Settings choice = choices.get(i);
        times.set(of, at, left, choice.cap(stage), choice.hold(stage, level, at));
        prospect.ask(of, times, point, null, less, less);
        miss[i] += degraded * prospect.miss();
      }
    }
    if (stillFull > 0) {
      prospect.prepare(of, at, point, left, next.full(), next.miss(0), less);
      for (int i = 0; i < miss.length; i++) {
        Settings choice = choices.get(i);
        times.set(of, at, left, choice.cap(stage), choice.hold(stage, level, at));
        prospect.ask(of, times, point, next.full(), next.miss(0), less);
        full[i] += stillFull * prospect.full();
        miss[i] += stillFull * prospect.miss();
      }
    }
  }

  private void several(
      List<Integer> running,
      int level,
      int point,
      List<Settings> choices,
      Crowd crowd,
      Outlook next,
      double[] full,
      double[] miss) {
    double degraded = crowd.share(JourneyModel.stateOf(level), point);
    double stillFull = level == 0 ? crowd.share(0, point) : 0;
    for (int i = 0; i < miss.length; i++) {
      steps.at(running, level, point, choices.get(i), next);
      full[i] += stillFull * steps.full();
      miss[i] += stillFull * steps.missFull() + degraded * steps.missDegraded();
    }
  }
}
