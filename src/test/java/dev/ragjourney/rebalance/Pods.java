package dev.ragjourney.rebalance;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.Limit;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Pods that run journeys by the budget's own arithmetic, in nanoseconds, and count as real ones do:
 * durations of primary calls in buckets, with the reason of a cut, and answers by outcome.
 */
final class Pods {
  private static final long NANOS = 1_000_000_000;

  private final Random random;
  private final Map<String, Laws> laws;
  private final Map<String, Laws> fallbacks;

  /**
   * @param laws of each stage's own calls
   * @param fallbacks of the fallbacks of those that have one
   */
  Pods(Random random, Map<String, Laws> laws, Map<String, Laws> fallbacks) {
    this.random = random;
    this.laws = laws;
    this.fallbacks = fallbacks;
  }

  /** One interval's journeys. */
  WindowSlice run(JourneyBudget budget, int journeys, Instant to, Duration interval) {
    BudgetTable table = BudgetTable.of(budget);
    List<Double> layout = LatencyBoundaries.of(budget.total());
    Map<String, Counts> counts = new HashMap<>();
    budget.stages().forEach(stage -> counts.put(stage.name(), new Counts(layout)));
    Map<String, Double> answers = new HashMap<>();
    for (int i = 0; i < journeys; i++) {
      answers.merge(journey(budget, table, counts), 1.0, Double::sum);
    }
    Map<String, StageWindow> stages = new HashMap<>();
    for (StageBudget stage : budget.stages()) {
      stages.put(stage.name(), counts.get(stage.name()).window(stage.cap()));
    }
    return new WindowSlice(
        to.minus(interval),
        to,
        stages,
        answers,
        Map.of(),
        Map.of(),
        LatencyHistogram.zero(layout),
        LatencyHistogram.EMPTY,
        List.of());
  }

  private String journey(JourneyBudget budget, BudgetTable table, Map<String, Counts> counts) {
    long total = budget.total().toNanos();
    long clock = 0;
    int level = 0;
    boolean full = true;
    for (int s = 0; s < budget.stages().size(); s++) {
      StageBudget stage = budget.stages().get(s);
      Counts count = counts.get(stage.name());
      level = table.level(s, level, total - clock);
      if (budget.levels().get(level).answer() != AnswerSource.STAGES) {
        return "static";
      }
      if (budget.levels().get(level).skip().contains(stage.name())) {
        full = false;
        count.skip("level");
        continue;
      }
      End end = stage(table, s, level, total - clock, stage, count);
      clock += end.after;
      full &= end.own;
      boolean needed =
          !stage.optional() && stage.type() != StageType.EMBED && stage.type() != StageType.SEARCH;
      if (!end.answered && needed) {
        return "static";
      }
    }
    return full && level == 0 ? "full" : "degraded";
  }

  private record End(long after, boolean own, boolean answered) {}

  private End stage(
      BudgetTable table, int s, int level, long remaining, StageBudget stage, Counts count) {
    long own = (long) (laws.get(stage.name()).draw(random) * NANOS);
    long allowance = table.allowance(s, level, remaining, 1);
    boolean starts = table.limit(s, level, remaining, 1) != Limit.NO_TIME;
    if (stage.fallback() == null) {
      if (!starts) {
        count.skip("no_time");
        return new End(0, false, false);
      }
      count.started++;
      if (own <= allowance) {
        count.completed(own);
        return new End(own, true, true);
      }
      count.cut(table.limit(s, level, remaining, 1) == Limit.CAP, allowance);
      return new End(allowance, false, false);
    }
    long other = (long) (fallbacks.get(stage.name()).draw(random) * NANOS);
    long ownEnd = starts ? table.failOver(s, level, remaining, 1) : 0;
    long end = table.endWithFallback(s, level, remaining, ownEnd, 1);
    boolean generates = stage.type() == StageType.GENERATE;
    long fallbackEnd = generates ? end : Math.min(end, ownEnd + stage.fallback().cap().toNanos());
    boolean falls = remaining - ownEnd >= stage.fallback().minRemaining().toNanos() && end > ownEnd;
    if (starts) {
      count.started++;
    } else {
      count.skip("no_time");
    }
    if (starts && own <= (falls ? ownEnd : allowance)) {
      count.completed(own);
      return new End(own, true, true);
    }
    if (!falls) {
      if (starts) {
        count.cut(table.limit(s, level, remaining, 1) == Limit.CAP, allowance);
      }
      return new End(Math.max(0, allowance), false, false);
    }
    boolean cancels = stage.fallback().cancelPrimary();
    long answered = ownEnd + other;
    boolean inTime = answered <= fallbackEnd;
    boolean race = starts && !cancels;
    if (race && own <= end && (own <= answered || !inTime)) {
      count.completed(own);
      count.fallbackCut(Math.min(own, fallbackEnd) - ownEnd);
      return new End(own, true, true);
    }
    long over = inTime ? answered : race ? end : fallbackEnd;
    if (starts) {
      count.left(cancels ? ownEnd : over, cancels || !inTime);
    }
    if (inTime) {
      count.fallbackCompleted(other);
    } else {
      count.fallbackCut(fallbackEnd - ownEnd);
    }
    return new End(over, false, inTime);
  }

  private static final class Counts {
    private final List<Double> layout;
    private final double[] completed;
    private final double[] capCut;
    private final double[] deadlineCut;
    private final double[] lost;
    private final double[] fallbackCompleted;
    private final double[] fallbackCut;
    private final Map<String, Double> skipped = new HashMap<>();
    private double started;

    Counts(List<Double> layout) {
      this.layout = layout;
      completed = new double[layout.size() + 1];
      capCut = new double[layout.size() + 1];
      deadlineCut = new double[layout.size() + 1];
      lost = new double[layout.size() + 1];
      fallbackCompleted = new double[layout.size() + 1];
      fallbackCut = new double[layout.size() + 1];
    }

    void skip(String reason) {
      skipped.merge(reason, 1.0, Double::sum);
    }

    void completed(long nanos) {
      add(completed, layout, nanos);
    }

    void cut(boolean byCap, long nanos) {
      add(byCap ? capCut : deadlineCut, layout, nanos);
    }

    void left(long nanos, boolean cut) {
      add(cut ? deadlineCut : lost, layout, nanos);
    }

    void fallbackCompleted(long nanos) {
      add(fallbackCompleted, layout, nanos);
    }

    void fallbackCut(long nanos) {
      add(fallbackCut, layout, Math.max(0, nanos));
    }

    StageWindow window(Duration cap) {
      return new StageWindow(
          started,
          histogram(layout, completed),
          histogram(layout, capCut),
          histogram(layout, deadlineCut),
          histogram(layout, lost),
          0,
          skipped,
          histogram(layout, fallbackCompleted),
          histogram(layout, fallbackCut),
          cap == null ? null : new StageWindow.CapSpan(cap, cap));
    }

    private static void add(double[] counts, List<Double> layout, long nanos) {
      double seconds = (double) nanos / NANOS;
      int bucket = 0;
      while (bucket < layout.size() && seconds > layout.get(bucket)) {
        bucket++;
      }
      counts[bucket]++;
    }

    private static LatencyHistogram histogram(List<Double> layout, double[] counts) {
      return new LatencyHistogram(layout, Arrays.stream(counts).boxed().toList());
    }
  }
}
