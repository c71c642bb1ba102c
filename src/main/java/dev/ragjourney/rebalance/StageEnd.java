package dev.ragjourney.rebalance;

import java.util.Arrays;

/**
 * How a stage that starts at one moment ends, by the point since its start: with its own result,
 * with less (a fallback's, or none), or fatally.
 */
final class StageEnd {
  private final double[] done;
  private final double[] less;
  private double fatal;
  private int last;

  StageEnd(int horizon) {
    done = new double[horizon + 1];
    less = new double[horizon + 1];
  }

  /**
   * @param left points until the horizon
   */
  void of(StageModel stage, StageTimes times, int left) {
    Arrays.fill(done, 0, left + 1, 0);
    Arrays.fill(less, 0, left + 1, 0);
    fatal = 0;
    last = 0;
    CellLaw law = stage.law();
    if (!times.starts()) {
      withoutCall(stage, times, 1);
    } else if (!times.fallsBack()) {
      done(law, 0, times.end());
      missing(stage, times.end(), law.longer(times.end()));
    } else if (stage.cancels()) {
      replaced(stage, times);
    } else {
      raced(stage, times);
    }
  }

  /**
   * Some of its calls fail.
   *
   * @param failed the times of a stage whose call has failed
   */
  void failing(StageModel stage, StageTimes failed, int left) {
    double share = stage.failing();
    for (int x = 0; x <= left; x++) {
      done[x] *= 1 - share;
      less[x] *= 1 - share;
    }
    fatal *= 1 - share;
    withoutCall(stage, failed, share);
  }

  private void withoutCall(StageModel stage, StageTimes times, double share) {
    if (times.fallsBack()) {
      fallback(stage.fallback(), 0, times.fallbackEnd(), share);
      missing(stage, times.end(), share * stage.fallback().longer(times.fallbackEnd()));
    } else {
      missing(stage, 0, share);
    }
  }

  private void replaced(StageModel stage, StageTimes times) {
    double running = stage.law().longer(times.failOver());
    done(stage.law(), 0, times.failOver());
    fallback(stage.fallback(), times.failOver(), times.fallbackEnd(), running);
    double late = stage.fallback().longer(times.fallbackEnd() - times.failOver());
    missing(stage, times.fallbackEnd(), running * late);
  }

  private void raced(StageModel stage, StageTimes times) {
    CellLaw law = stage.law();
    CellLaw other = stage.fallback();
    int from = times.failOver();
    done(law, 0, from);
    for (int x = from + 1; x <= times.end(); x++) {
      done[x] += law.mass(x) * other.longer(Math.min(x - 1, times.fallbackEnd()) - from);
    }
    for (int x = from; x <= times.fallbackEnd(); x++) {
      less[x] += other.mass(x - from) * law.longer(x);
    }
    last = Math.max(last, times.end());
    missing(stage, times.end(), law.longer(times.end()) * other.longer(times.fallbackEnd() - from));
  }

  private void done(CellLaw law, int from, int to) {
    for (int x = from; x <= to; x++) {
      done[x] += law.mass(x);
    }
    last = Math.max(last, to);
  }

  private void fallback(CellLaw law, int from, int to, double share) {
    for (int x = from; x <= to; x++) {
      less[x] += share * law.mass(x - from);
    }
    last = Math.max(last, to);
  }

  private void missing(StageModel stage, int at, double share) {
    if (stage.fatal()) {
      fatal += share;
    } else {
      less[at] += share;
      last = Math.max(last, at);
    }
  }

  double done(int point) {
    return done[point];
  }

  double less(int point) {
    return less[point];
  }

  double fatal() {
    return fatal;
  }

  /** Nothing ends after this point. */
  int last() {
    return last;
  }

  /** Beside another stage: a step ends with the slower one. */
  void beside(StageEnd other, int left) {
    double mine = 0;
    double all = 0;
    double others = 0;
    double othersAll = 0;
    double before = 0;
    double allBefore = 0;
    for (int x = 0; x <= left; x++) {
      mine += done[x];
      all += done[x] + less[x];
      others += other.done[x];
      othersAll += other.done[x] + other.less[x];
      double both = mine * others;
      double ended = all * othersAll;
      done[x] = both - before;
      less[x] = ended - allBefore - done[x];
      before = both;
      allBefore = ended;
    }
    fatal = 1 - (1 - fatal) * (1 - other.fatal);
    last = Math.max(last, other.last);
  }
}
