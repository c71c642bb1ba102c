package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A journey's budget as a table of nanoseconds, made once a plan; after that every question is long
 * arithmetic that allocates nothing.
 *
 * <p>Stages and levels are named by their index. {@code remaining} is what the journey has left at
 * the moment of asking; {@code k} is {@link Deadline#k()}.
 */
public final class BudgetTable {
  /** No cap. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  private static final long ALWAYS = Long.MIN_VALUE;
  private static final long LEAST_CALL = 1_000_000;

  /**
   * A stage that is cut to leave the floors to the others ends up to this late. What was held back
   * for them still counts as being there, else the level would fall just because a cut is a cut.
   */
  private static final long LATE_CUT = 5_000_000;

  private final int levels;
  private final int[] stepEnds;
  private final long[] caps;
  private final long[] minUseful;
  private final long[] reserves;
  private final long[] failAfter;
  private final long[] fallbackCaps;
  private final long[][] floors;
  private final long[][] holdbacks;
  private final long[][] drawnHoldbacks;
  private final long[][] thresholds;

  private BudgetTable(JourneyBudget budget) {
    List<StageBudget> stages = budget.stages();
    levels = budget.levels().size();
    if (levels == 0 || budget.levels().getLast().answer() != AnswerSource.STATIC) {
      throw new IllegalArgumentException("The last level must answer Static.");
    }
    caps = stageNanos(stages, i -> nanosOr(stages.get(i).cap(), UNBOUNDED));
    minUseful = stageNanos(stages, i -> Math.max(LEAST_CALL, stages.get(i).minUseful().toNanos()));
    reserves = stageNanos(stages, i -> last(budget, i));
    failAfter = stageNanos(stages, i -> failAfter(stages.get(i)));
    fallbackCaps = stageNanos(stages, i -> fallbackCap(stages.get(i)));
    CriticalPath path = new CriticalPath(stages);
    stepEnds = new int[stages.size()];
    for (int i = 0; i < stepEnds.length; i++) {
      stepEnds[i] = path.endOfStep(i);
    }
    floors = new long[levels][];
    holdbacks = new long[levels][];
    drawnHoldbacks = new long[levels][];
    thresholds = new long[levels][];
    for (int l = 0; l < levels; l++) {
      int level = l;
      long[] floor = stageNanos(stages, i -> Floors.nanos(budget, i, level));
      long[] drawn = stageNanos(stages, i -> drawnFloor(stages.get(i), floor[i]));
      floors[l] = floor;
      holdbacks[l] =
          stageNanos(
              stages,
              i ->
                  reserves[i]
                      + Math.max(
                          path.after(i, j -> floor[j]),
                          level == 0 ? nanosOr(stages.get(i).holdBack(), 0) : 0));
      drawnHoldbacks[l] =
          stageNanos(
              stages,
              i ->
                  reserves[i] + path.after(i, j -> stages.get(i).optional() ? floor[j] : drawn[j]));
      thresholds[l] = stageNanos(stages, i -> threshold(budget, path, floor, i, level));
    }
  }

  public static BudgetTable of(JourneyBudget budget) {
    return new BudgetTable(budget);
  }

  /** The first stage after those that run side by side with this one. */
  public int stepEnd(int stage) {
    return stepEnds[stage];
  }

  /** The cap in force; {@link #UNBOUNDED} for a stage that gets what remains. */
  public long cap(int stage) {
    return caps[stage];
  }

  /** The time that earlier stages leave to this one. */
  public long floor(int stage, int level, double k) {
    return scaled(floors[level][stage], k);
  }

  /**
   * reserve + Σ floors of the required stages after this one, a parallel group as its maximum; at
   * the first level the stage's own hold-back instead of the floors where that is longer. The
   * generate stage of a last-token journey holds back the last-token margin where that is longer.
   */
  public long holdback(int stage, int level, double k) {
    return scaled(holdbacks[level][stage], k);
  }

  /** What is held back at this stage for what comes after all stages. */
  public long reserve(int stage, double k) {
    return scaled(reserves[stage], k);
  }

  /** The least time that starts this stage. */
  public long minUseful(int stage) {
    return minUseful[stage];
  }

  /** min(cap, remaining − hold-back); zero or less means that nothing is left. */
  public long allowance(int stage, int level, long remaining, double k) {
    return Math.min(caps[stage], remaining - holdback(stage, level, k));
  }

  /** What bounds {@link #allowance}. */
  public Limit limit(int stage, int level, long remaining, double k) {
    long available = remaining - holdback(stage, level, k);
    if (Math.min(caps[stage], available) < minUseful[stage]) {
      return Limit.NO_TIME;
    }
    return caps[stage] <= available ? Limit.CAP : Limit.DEADLINE;
  }

  /** The stage's level is possible with more than this left. */
  public long threshold(int stage, int level) {
    return thresholds[level][stage];
  }

  /**
   * The first possible level at or below the current one: a journey never climbs back. The last
   * level is always possible.
   */
  public int level(int stage, int current, long remaining) {
    int level = current;
    while (level < levels - 1 && remaining <= thresholds[level][stage]) {
      level++;
    }
    return level;
  }

  /**
   * When the fallback starts, from the stage's start: min(degradeAfter or expected p95, cap,
   * remaining − hold-back, remaining − drawn hold-back − the fallback's cap), at least 0. The
   * fallback of a required stage may draw generate down to what generate's own fallback needs.
   */
  public long failOver(int stage, int level, long remaining, double k) {
    long own = Math.min(failAfter[stage], allowance(stage, level, remaining, k));
    long before = remaining - drawnHoldback(stage, level, k) - fallbackCaps[stage];
    return Math.max(0, Math.min(own, before));
  }

  /**
   * The end of a stage whose fallback started at {@code failOver}, from the stage's start:
   * min(max(cap, failOver + the fallback's cap), remaining − drawn hold-back).
   */
  public long endWithFallback(int stage, int level, long remaining, long failOver, double k) {
    long wanted = Math.max(caps[stage], failOver + fallbackCaps[stage]);
    return Math.min(wanted, remaining - drawnHoldback(stage, level, k));
  }

  /** What bounds {@link #endWithFallback}. */
  public Limit endLimit(int stage, int level, long remaining, long failOver, double k) {
    long wanted = Math.max(caps[stage], failOver + fallbackCaps[stage]);
    return wanted <= remaining - drawnHoldback(stage, level, k) ? Limit.CAP : Limit.DEADLINE;
  }

  /** The hold-back while a fallback runs, which may draw on generate's floor. */
  public long drawnHoldback(int stage, int level, double k) {
    return scaled(drawnHoldbacks[level][stage], k);
  }

  private static long threshold(
      JourneyBudget budget, CriticalPath path, long[] floor, int stage, int level) {
    FallbackLevel at = budget.levels().get(level);
    if (at.answer() == AnswerSource.STATIC) {
      return ALWAYS;
    }
    if (at.answer() == AnswerSource.SEMANTIC_CACHE) {
      return at.minRemaining().toNanos();
    }
    List<StageBudget> stages = budget.stages();
    LevelStage own = Floors.levelStage(at, stages.get(stage).name());
    Duration declared = own == null ? null : own.minRemaining();
    if (declared != null) {
      return declared.toNanos();
    }
    IntToLongFunction declaredCap =
        i -> Floors.runs(at, stages.get(i)) ? nanosOr(stages.get(i).declaredCap(), 0) : 0;
    long reserve = budget.reserve().toNanos();
    long late = path.stepOf(stage) == 0 ? 0 : Math.min(reserve, LATE_CUT);
    return Math.max(
        reserve + path.from(stage, i -> floor[i]) - late,
        at.minRemaining().toNanos() - path.before(stage, declaredCap));
  }

  private static long last(JourneyBudget budget, int stage) {
    long reserve = budget.reserve().toNanos();
    boolean readsToTheEnd =
        budget.countTo() == CountTo.LAST_TOKEN
            && budget.stages().get(stage).type() == StageType.GENERATE;
    return readsToTheEnd ? Math.max(reserve, budget.lastTokenMargin().toNanos()) : reserve;
  }

  private static long drawnFloor(StageBudget stage, long floor) {
    FallbackBudget fallback = stage.fallback();
    return stage.type() == StageType.GENERATE && fallback != null
        ? Math.min(floor, fallback.cap().toNanos())
        : floor;
  }

  private static long failAfter(StageBudget stage) {
    Duration degradeAfter = stage.degradeAfter();
    return nanosOr(degradeAfter != null ? degradeAfter : stage.expectedP95(), UNBOUNDED);
  }

  private static long fallbackCap(StageBudget stage) {
    FallbackBudget fallback = stage.fallback();
    return fallback == null ? 0 : fallback.cap().toNanos();
  }

  private static long nanosOr(@Nullable Duration duration, long absent) {
    return duration == null ? absent : duration.toNanos();
  }

  /** Exact for k = 1 whatever the size. */
  private static long scaled(long nanos, double k) {
    return k == 1 ? nanos : (long) (nanos * k);
  }

  private static long[] stageNanos(List<StageBudget> stages, IntToLongFunction nanos) {
    long[] row = new long[stages.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = nanos.applyAsLong(i);
    }
    return row;
  }
}
