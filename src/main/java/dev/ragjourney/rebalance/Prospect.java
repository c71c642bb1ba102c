package dev.ragjourney.rebalance;

import org.jspecify.annotations.Nullable;

/**
 * What a stage that starts at one moment leads to, for any choice of its times: running sums over
 * its own call's law make a choice cost a look-up, and one with a fallback the length of the race.
 */
final class Prospect {
  private final double[] fullBy;
  private final double[] missBy;
  private final StageTimes failed = new StageTimes();
  private @Nullable CellLaw ownLaw;
  private double @Nullable [] fullNext;
  private double @Nullable [] missNext;
  private int begin;
  private int known;
  private double full;
  private double miss;
  private double missFailed;

  Prospect(int horizon) {
    fullBy = new double[horizon + 1];
    missBy = new double[horizon + 1];
  }

  /**
   * For a stage at a level.
   *
   * @param start of the stage
   * @param left points until the horizon
   * @param fullAfter share of full answers by the moment at which the stage is done; null where the
   *     answer is not full any more
   * @param missAfter share of missed answers by that moment
   * @param missAfterLess share of missed answers by the moment at which the stage ends with less
   */
  void prepare(
      StageModel stage,
      StageModel.AtLevel at,
      int start,
      int left,
      double @Nullable [] fullAfter,
      double[] missAfter,
      double[] missAfterLess) {
    if (stage.failing() > 0) {
      failed.withoutCall(stage, at, left);
      miss = 0;
      withoutCall(stage, failed, start, missAfterLess);
      missFailed = miss;
    }
    ownLaw = stage.law();
    begin = start;
    fullNext = fullAfter;
    missNext = missAfter;
    known = -1;
  }

  /** Adds up as far as is asked for: most choices end long before the horizon. */
  private void addUp(int until) {
    CellLaw law = ownLaw;
    double[] missAfter = missNext;
    if (law == null || missAfter == null) {
      throw new IllegalStateException("prepare comes first");
    }
    double missSum = known < 0 ? 0 : missBy[known];
    if (fullNext == null) {
      for (int x = known + 1; x <= until; x++) {
        missSum += law.mass(x) * missAfter[begin + x];
        missBy[x] = missSum;
      }
    } else {
      double[] fullAfter = fullNext;
      double fullSum = known < 0 ? 0 : fullBy[known];
      for (int x = known + 1; x <= until; x++) {
        double mass = law.mass(x);
        fullSum += mass * fullAfter[begin + x];
        missSum += mass * missAfter[begin + x];
        fullBy[x] = fullSum;
        missBy[x] = missSum;
      }
    }
    known = Math.max(known, until);
  }

  /**
   * @param missAfterLess share of missed answers by the moment at which the stage ends with less
   */
  void ask(
      StageModel stage,
      StageTimes times,
      int start,
      double @Nullable [] fullAfter,
      double[] missAfter,
      double[] missAfterLess) {
    called(stage, times, start, fullAfter, missAfter, missAfterLess);
    if (stage.failing() > 0 && times.starts()) {
      full *= 1 - stage.failing();
      miss = miss * (1 - stage.failing()) + missFailed * stage.failing();
    }
  }

  private void called(
      StageModel stage,
      StageTimes times,
      int start,
      double @Nullable [] fullAfter,
      double[] missAfter,
      double[] missAfterLess) {
    full = 0;
    miss = 0;
    if (!times.starts()) {
      withoutCall(stage, times, start, missAfterLess);
    } else if (!times.fallsBack()) {
      first(times.end(), fullAfter);
      missing(stage, start + times.end(), stage.law().longer(times.end()), missAfterLess);
    } else {
      first(times.failOver(), fullAfter);
      if (stage.cancels()) {
        double running = stage.law().longer(times.failOver());
        fallback(stage, times, start, running, missAfterLess);
        double late = stage.fallback().longer(times.fallbackEnd() - times.failOver());
        missing(stage, start + times.fallbackEnd(), running * late, missAfterLess);
      } else {
        race(stage, times, start, fullAfter, missAfter, missAfterLess);
      }
    }
  }

  private void withoutCall(StageModel stage, StageTimes times, int start, double[] missAfterLess) {
    if (times.fallsBack()) {
      fallback(stage, times, start, 1, missAfterLess);
      double late = stage.fallback().longer(times.fallbackEnd());
      missing(stage, start + times.end(), late, missAfterLess);
    } else {
      missing(stage, start, 1, missAfterLess);
    }
  }

  private void fallback(
      StageModel stage, StageTimes times, int start, double share, double[] missAfterLess) {
    CellLaw other = stage.fallback();
    int from = times.failOver();
    for (int x = from; x <= times.fallbackEnd(); x++) {
      miss += share * other.mass(x - from) * missAfterLess[start + x];
    }
  }

  private void race(
      StageModel stage,
      StageTimes times,
      int start,
      double @Nullable [] fullAfter,
      double[] missAfter,
      double[] missAfterLess) {
    CellLaw law = stage.law();
    CellLaw other = stage.fallback();
    int from = times.failOver();
    boolean over =
        times.fallbackEnd() - from >= other.support() && other.longer(other.support()) <= 0;
    int end = over ? Math.min(times.end(), from + other.support()) : times.end();
    for (int x = from + 1; x <= end; x++) {
      double slower = other.longer(Math.min(x - 1, times.fallbackEnd()) - from);
      double won = law.mass(x) * slower;
      miss += won * missAfter[start + x];
      if (fullAfter != null) {
        full += won * fullAfter[start + x];
      }
    }
    int answered = Math.min(times.fallbackEnd(), from + other.support());
    for (int x = from + other.first(); x <= answered; x++) {
      miss += other.mass(x - from) * law.longer(x) * missAfterLess[start + x];
    }
    double neither = law.longer(times.end()) * other.longer(times.fallbackEnd() - from);
    missing(stage, start + times.end(), neither, missAfterLess);
  }

  double full() {
    return full;
  }

  double miss() {
    return miss;
  }

  /** The stage's own call ends by then. */
  private void first(int until, double @Nullable [] fullAfter) {
    addUp(until);
    miss += missBy[until];
    if (fullAfter != null) {
      full += fullBy[until];
    }
  }

  private void missing(StageModel stage, int at, double share, double[] missAfterLess) {
    miss += share * (stage.fatal() ? 1 : missAfterLess[at]);
  }
}
