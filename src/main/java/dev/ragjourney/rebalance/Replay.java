package dev.ragjourney.rebalance;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The same journeys under different settings, one by one: what differs between two settings is then
 * not chance. Every stage's latencies are spread evenly over its law, and dealt at random.
 */
final class Replay {
  /** What became of a journey. */
  enum Result {
    FULL,
    DEGRADED,
    MISSED
  }

  private static final int FAILS = -1;
  private static final int JOURNEYS = 1_000;
  private static final long SEED = 2_026;

  private final JourneyModel model;
  private final int[][] own;
  private final int[][] fallbacks;
  private final StageTimes times = new StageTimes();
  private final int[] spent;

  /** Stages by level and step. */
  private final int[][][] running;

  private final Map<Settings, Result[]> known = new HashMap<>();

  private Replay(JourneyModel model, int[][] own, int[][] fallbacks) {
    this.model = model;
    this.own = own;
    this.fallbacks = fallbacks;
    spent = new int[own.length];
    running = new int[model.levels()][model.steps().size()][];
    for (int level = 0; level < running.length; level++) {
      for (int step = 0; step < running[level].length; step++) {
        running[level][step] =
            model.running(step, level).stream().mapToInt(Integer::intValue).toArray();
      }
    }
  }

  static Replay of(JourneyModel model) {
    SplittableRandom random = new SplittableRandom(SEED);
    int[][] own = new int[model.stages().size()][];
    int[][] fallbacks = new int[own.length][];
    for (int stage = 0; stage < own.length; stage++) {
      own[stage] = dealt(model.stages().get(stage).law(), random);
      failing(own[stage], model.stages().get(stage).failing(), random);
      fallbacks[stage] = dealt(model.stages().get(stage).fallbackLaw(), random);
    }
    return new Replay(model, own, fallbacks);
  }

  /** By how much one setting is worth more than another, and the error of that. */
  record Gain(double mean, double deviation) {
    /** The standard error after so many journeys. */
    double error(double journeys) {
      return journeys > 0 ? deviation / Math.sqrt(journeys) : Double.POSITIVE_INFINITY;
    }
  }

  /**
   * @param missCosts a missed answer costs as much as it does above the objective
   */
  Gain gain(Settings from, Settings to, double missCosts) {
    Result[] before = results(from);
    Result[] after = results(to);
    return gain(journey -> worth(after[journey], missCosts) - worth(before[journey], missCosts));
  }

  /** By how much the second course is worth more than the first, on the same journeys. */
  static Gain gain(Course from, Course to, double missCosts) {
    Replay before = of(from.model());
    Replay after = of(to.model());
    return gain(
        journey ->
            worth(after.result(journey, to), missCosts)
                - worth(before.result(journey, from), missCosts));
  }

  private Result result(int journey, Course course) {
    Result result = result(journey, course.settings());
    return result == Result.FULL && !course.whole() ? Result.DEGRADED : result;
  }

  /**
   * By how much a journey that gives no full answers is worth more.
   *
   * @param less of stages with the same laws, so that both have the same journeys
   * @param to its settings
   * @param level that it starts at
   */
  Gain gainOfLess(Settings from, Replay less, Settings to, int level, double missCosts) {
    Result[] before = results(from);
    return gain(
        journey ->
            (less.result(journey, to, level) == Result.MISSED ? -missCosts : 0)
                - worth(before[journey], missCosts));
  }

  private static Gain gain(IntToDoubleFunction differences) {
    double sum = 0;
    double squares = 0;
    for (int journey = 0; journey < JOURNEYS; journey++) {
      double difference = differences.applyAsDouble(journey);
      sum += difference;
      squares += difference * difference;
    }
    double mean = sum / JOURNEYS;
    return new Gain(mean, Math.sqrt(Math.max(0, squares / JOURNEYS - mean * mean)));
  }

  private static double worth(Result result, double missCosts) {
    return switch (result) {
      case FULL -> 1;
      case DEGRADED -> 0;
      case MISSED -> -missCosts;
    };
  }

  /** Of all journeys, found out once. */
  private Result[] results(Settings settings) {
    return known.computeIfAbsent(
        settings,
        of -> {
          Result[] results = new Result[JOURNEYS];
          Arrays.setAll(results, journey -> result(journey, of));
          return results;
        });
  }

  /** Shares of full and of missed answers. */
  Forecast forecast(Settings settings) {
    int full = 0;
    int missed = 0;
    for (int journey = 0; journey < JOURNEYS; journey++) {
      Result result = result(journey, settings);
      full += result == Result.FULL ? 1 : 0;
      missed += result == Result.MISSED ? 1 : 0;
    }
    return new Forecast((double) full / JOURNEYS, (double) missed / JOURNEYS);
  }

  /**
   * What each stage took beyond its median in the journeys without a full answer, as a share of all
   * that was; nothing but zeros if all had one.
   */
  double[] costs(Settings settings) {
    double[] beyond = new double[own.length];
    int[] medians = model.stages().stream().mapToInt(stage -> stage.law().quantile(0.5)).toArray();
    for (int journey = 0; journey < JOURNEYS; journey++) {
      if (result(journey, settings) != Result.FULL) {
        for (int stage = 0; stage < beyond.length; stage++) {
          beyond[stage] += Math.max(0, spent[stage] - medians[stage]);
        }
      }
    }
    double all = Arrays.stream(beyond).sum();
    return all == 0 ? beyond : Arrays.stream(beyond).map(each -> each / all).toArray();
  }

  private Result result(int journey, Settings settings) {
    return result(journey, settings, 0);
  }

  private Result result(int journey, Settings settings, int first) {
    Arrays.fill(spent, 0);
    int clock = 0;
    int level = first;
    boolean full = true;
    for (int step = 0; step < model.steps().size(); step++) {
      level = model.level(step, level, clock);
      if (level >= model.levels()) {
        return Result.MISSED;
      }
      int longest = 0;
      for (int stage : running[level][step]) {
        int left = model.horizon() - clock;
        StageModel of = model.stages().get(stage);
        StageModel.AtLevel at = of.levels().get(level);
        times.set(of, at, left, settings.cap(stage), settings.hold(stage, level, at));
        int own = this.own[stage][journey];
        if (own == FAILS && times.starts()) {
          times.withoutCall(of, at, left);
        }
        int other = of.fallbackLaw() == null ? 0 : fallbacks[stage][journey];
        int done = doneAt(of, own, other);
        int answered = done >= 0 ? done : answeredAt(of, own, other);
        if (answered < 0 && of.fatal()) {
          spent[stage] = Math.max(0, times.end());
          return Result.MISSED;
        }
        full &= done >= 0;
        spent[stage] = answered >= 0 ? answered : Math.max(0, times.end());
        longest = Math.max(longest, spent[stage]);
      }
      clock += longest;
    }
    return full && level == 0 ? Result.FULL : Result.DEGRADED;
  }

  /** When the stage's own call wins; −1 if it does not. */
  private int doneAt(StageModel of, int own, int other) {
    if (!times.starts() || own > times.end()) {
      return -1;
    }
    if (!times.fallsBack() || own <= times.failOver()) {
      return own;
    }
    int fallback = times.failOver() + other;
    boolean first = own <= fallback || fallback > times.fallbackEnd();
    return !of.cancels() && first ? own : -1;
  }

  /** When the fallback answers; −1 if it does not. */
  private int answeredAt(StageModel of, int own, int other) {
    int fallback = times.failOver() + other;
    boolean late = !of.cancels() && times.starts() && own <= fallback && own <= times.end();
    return times.fallsBack() && fallback <= times.fallbackEnd() && !late ? fallback : -1;
  }

  private static void failing(int[] points, double share, SplittableRandom random) {
    int fails = (int) Math.round(share * points.length);
    while (fails > 0) {
      int journey = random.nextInt(points.length);
      if (points[journey] != FAILS) {
        points[journey] = FAILS;
        fails--;
      }
    }
  }

  private static int[] dealt(@Nullable CellLaw law, SplittableRandom random) {
    int[] points = new int[JOURNEYS];
    if (law == null) {
      return points;
    }
    int point = 0;
    for (int i = 0; i < JOURNEYS; i++) {
      double share = (i + 0.5) / JOURNEYS;
      while (point <= law.last() && 1 - law.longer(point) < share) {
        point++;
      }
      points[i] = point <= law.last() ? point : Integer.MAX_VALUE / 4;
    }
    for (int i = JOURNEYS - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = points[i];
      points[i] = points[j];
      points[j] = swapped;
    }
    return points;
  }
}
