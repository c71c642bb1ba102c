package dev.ragjourney.rebalance;

import java.util.Arrays;
import java.util.List;

/**
 * What is to be expected from a step's start on, by point and state: shares of full and of missed
 * answers. A journey that is not in the first state gives no full answer.
 */
final class Outlook {
  private final double[] full;
  private final double[][] miss;

  private Outlook(JourneyModel model) {
    full = new double[model.horizon() + 1];
    miss = new double[model.states()][model.horizon() + 1];
  }

  /** After the last step: everybody has an answer. */
  private static Outlook atEnd(JourneyModel model) {
    Outlook end = new Outlook(model);
    Arrays.fill(end.full, 1);
    return end;
  }

  /** The outlooks from each step's start on, and the one from the end. */
  static Outlook[] of(JourneyModel model, Settings settings) {
    int steps = model.steps().size();
    Outlook[] outlooks = new Outlook[steps + 1];
    outlooks[steps] = atEnd(model);
    StepProspect prospect = new StepProspect(model);
    for (int step = steps - 1; step >= 0; step--) {
      outlooks[step] = before(model, step, settings, outlooks[step + 1], prospect);
    }
    return outlooks;
  }

  /** Of journeys that are at their very begin. */
  Forecast forecast() {
    return new Forecast(full[0], miss[0][0]);
  }

  double[] full() {
    return full;
  }

  double[] miss(int state) {
    return miss[state];
  }

  private static Outlook before(
      JourneyModel model, int step, Settings settings, Outlook next, StepProspect prospect) {
    Outlook admitted = new Outlook(model);
    int points = step == 0 ? 0 : model.horizon();
    for (int level = 0; level < model.levels(); level++) {
      List<Integer> running = model.running(step, level);
      for (int point = 0; point <= points; point++) {
        if (model.level(step, level, point) != level) {
          continue;
        }
        prospect.at(running, level, point, settings, next);
        int state = JourneyModel.stateOf(level);
        admitted.miss[state][point] = prospect.missDegraded();
        if (level == 0) {
          admitted.full[point] = prospect.full();
          admitted.miss[0][point] = prospect.missFull();
        }
      }
    }
    Outlook before = new Outlook(model);
    for (int state = 0; state < model.states(); state++) {
      int level = JourneyModel.levelOf(state);
      for (int point = 0; point <= points; point++) {
        int possible = model.level(step, level, point);
        int then = possible == level ? state : JourneyModel.stateOf(possible);
        before.miss[state][point] = possible < model.levels() ? admitted.miss[then][point] : 1;
        if (state == 0) {
          before.full[point] = possible == 0 ? admitted.full[point] : 0;
        }
      }
    }
    return before;
  }
}
