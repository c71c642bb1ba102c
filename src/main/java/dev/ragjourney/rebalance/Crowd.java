package dev.ragjourney.rebalance;

import java.util.List;

/** Where the journeys are when a step starts: shares by state and point. */
final class Crowd {
  /** A smaller share changes no figure. */
  private static final double NOBODY = 1e-12;

  /** Smaller shares together change no choice. */
  private static final double HARDLY_ANYBODY = 1e-7;

  private final JourneyModel model;
  private final double[][] shares;
  private double missed;

  private Crowd(JourneyModel model) {
    this.model = model;
    shares = new double[model.states()][model.horizon() + 1];
  }

  static Crowd atStart(JourneyModel model) {
    Crowd crowd = new Crowd(model);
    crowd.shares[0][0] = 1;
    return crowd;
  }

  double share(int state, int point) {
    return shares[state][point];
  }

  boolean anybody(int state, int point) {
    return shares[state][point] > HARDLY_ANYBODY;
  }

  /** Those that have no chance of an answer any more. */
  double missed() {
    return missed;
  }

  /** All of a state. */
  double all(int state) {
    double sum = 0;
    for (double share : shares[state]) {
      sum += share;
    }
    return sum;
  }

  /** Moves those on whose time is too short for their level. */
  void admit(int step) {
    for (int state = model.states() - 1; state >= 0; state--) {
      int level = JourneyModel.levelOf(state);
      for (int point = 0; point <= model.horizon(); point++) {
        double share = shares[state][point];
        int possible = share > 0 ? model.level(step, level, point) : level;
        if (possible > level) {
          shares[state][point] = 0;
          if (possible < model.levels()) {
            shares[JourneyModel.stateOf(possible)][point] += share;
          } else {
            missed += share;
          }
        }
      }
    }
  }

  /** Where those that were admitted are when the step ends. */
  Crowd after(int step, Settings settings, StepEnd end) {
    Crowd after = new Crowd(model);
    after.missed = missed;
    for (int level = 0; level < model.levels(); level++) {
      List<Integer> running = model.running(step, level);
      for (int point = 0; point <= model.horizon(); point++) {
        pass(after, level, point, running, settings, end);
      }
    }
    return after;
  }

  private void pass(
      Crowd after, int level, int point, List<Integer> running, Settings settings, StepEnd end) {
    int degraded = JourneyModel.stateOf(level);
    double mine = shares[degraded][point];
    double full = level == 0 ? shares[0][point] : 0;
    if (mine <= NOBODY && full <= NOBODY) {
      return;
    }
    if (running.isEmpty()) {
      after.shares[degraded][point] += mine;
      after.shares[0][point] += full;
      return;
    }
    StageEnd ended = end.of(running, level, point, settings);
    for (int x = 0; x <= ended.last(); x++) {
      double either = ended.done(x) + ended.less(x);
      after.shares[degraded][point + x] += mine * either + full * ended.less(x);
      after.shares[0][point + x] += full * ended.done(x);
    }
    after.missed += (mine + full) * ended.fatal();
  }
}
