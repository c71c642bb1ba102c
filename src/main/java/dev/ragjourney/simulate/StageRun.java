package dev.ragjourney.simulate;

import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.Limit;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.simulate.Call.Cut;
import dev.ragjourney.simulate.Call.State;
import org.jspecify.annotations.Nullable;

/**
 * One stage of one journey, from its start to its end: its own calls within their allowance and,
 * where it has one, its fallback. The moments are those of the budget's own table.
 */
final class StageRun {
  /** How a stage ended. */
  enum Result {
    OWN,
    BY_FALLBACK,
    TIMEOUT,
    ERROR,
    NO_TIME,
    /** Another stage failed the journey. */
    CANCELLED
  }

  private final JourneyRun journey;
  private final int stage;
  private final StageBudget budget;
  private final BudgetTable table;
  private final @Nullable FallbackBudget fallbackBudget;
  private final long fallbackCap;
  private final long lateAfter;
  private final Tries own;
  private final Call fallback;

  private int level;
  private long start;
  private long remaining;
  private long failOver;
  private boolean first;
  private boolean alone;
  private boolean asked;
  private boolean insures;
  private @Nullable Result result;

  StageRun(JourneyRun journey, int stage, StageBudget budget, BudgetTable table, Servers servers) {
    this.journey = journey;
    this.stage = stage;
    this.budget = budget;
    this.table = table;
    fallbackBudget = budget.fallback();
    fallbackCap = fallbackBudget == null ? 0 : fallbackBudget.cap().toNanos();
    lateAfter =
        budget.optional() && fallbackBudget == null && budget.degradeAfter() != null
            ? budget.degradeAfter().toNanos()
            : Call.NEVER;
    own = new Tries(journey, stage, budget, servers);
    fallback = new Call(servers, journey);
  }

  /**
   * @param ofFirst false where an earlier rung has had the stage's primary call
   * @param insuring a fallback's answer waits for the stage's own calls to end
   */
  void begin(int atLevel, long now, boolean ofFirst, boolean insuring) {
    level = atLevel;
    start = now;
    remaining = journey.remaining(now);
    first = ofFirst;
    insures = insuring;
    alone = false;
    asked = false;
    result = null;
    own.reset();
    fallback.reset();
    Limit limit = table.limit(stage, level, remaining, 1);
    if (limit == Limit.NO_TIME) {
      alone = true;
      if (!startFallback(now)) {
        result = Result.NO_TIME;
      }
      return;
    }
    long allowance = start + table.allowance(stage, level, remaining, 1);
    int law = journey.world().keys().of(stage, level);
    if (fallbackBudget == null) {
      own.begin(law, now, allowance, allowance, cutOf(limit));
      return;
    }
    journey.helps().fallbacks(stage).called();
    long after = table.failOver(stage, level, remaining, 1);
    failOver = start + after;
    own.begin(
        law,
        now,
        allowance,
        start + table.endWithFallback(stage, level, remaining, after, 1),
        cutOf(table.endLimit(stage, level, remaining, after, 1)));
  }

  private static Cut cutOf(Limit limit) {
    return limit == Limit.CAP ? Cut.CAP : Cut.DEADLINE;
  }

  /** False if none is needed, too little is left, or the stage has fallen back too often. */
  private boolean startFallback(long now) {
    if (fallbackBudget == null
        || journey.remaining(now) < fallbackBudget.minRemaining().toNanos()) {
      return false;
    }
    long after = now - start;
    long end = start + table.endWithFallback(stage, level, remaining, after, 1);
    if (end - now < Tries.LEAST_CALL || !journey.helps().fallbacks(stage).take()) {
      return false;
    }
    // Generate gets what remains, and so does its fallback.
    long limit = budget.type() == StageType.GENERATE ? end : Math.min(end, now + fallbackCap);
    int law = journey.world().keys().fallback(stage);
    fallback.begin(
        law,
        journey.draw(stage, law),
        now,
        limit,
        limit < end ? Cut.CAP : cutOf(table.endLimit(stage, level, remaining, after, 1)));
    return true;
  }

  /**
   * @return when to be moved on again
   */
  long advance(long now) {
    if (result != null) {
      return Call.NEVER;
    }
    if (alone) {
      return fallbackAlone(now);
    }
    long next = own.advance(now);
    if (own.state() == State.ANSWERED) {
      fallback.cancel(Cut.LOST, now);
      return end(Result.OWN);
    }
    if (fallbackBudget == null) {
      return own.settled() ? end(missing(own.state())) : next;
    }
    if (!asked) {
      if (!own.settled() && now < failOver) {
        return Math.min(next, failOver);
      }
      asked = true;
      boolean started = startFallback(now);
      if (started && fallbackBudget.cancelPrimary()) {
        own.cancel(Cut.CAP, now);
      } else if (!started) {
        own.limitTo(
            start + table.allowance(stage, level, remaining, 1),
            cutOf(table.limit(stage, level, remaining, 1)));
      }
      next = own.advance(now);
    }
    if (fallback.state() == State.IDLE) {
      return own.settled() ? end(missing(own.state())) : next;
    }
    next = Math.min(next, fallback.advance(now));
    if (fallback.answered() && (own.settled() || !insures)) {
      own.cancel(Cut.LOST, now);
      return end(Result.BY_FALLBACK);
    }
    return own.settled() && fallback.settled() ? end(missing(own.state())) : next;
  }

  private long fallbackAlone(long now) {
    long next = fallback.advance(now);
    if (!fallback.settled()) {
      return next;
    }
    return end(fallback.answered() ? Result.BY_FALLBACK : missing(fallback.state()));
  }

  private static Result missing(State of) {
    return of == State.FAILED ? Result.ERROR : Result.TIMEOUT;
  }

  /** Ends what still runs; without effect on a stage that has its result. */
  void cancel(Cut why, Result as, long now) {
    if (result == null) {
      own.cancel(why, now);
      fallback.cancel(why, now);
      end(as);
    }
  }

  private long end(Result as) {
    result = as;
    return Call.NEVER;
  }

  @Nullable Result result() {
    return result;
  }

  int stage() {
    return stage;
  }

  StageBudget budget() {
    return budget;
  }

  boolean missing() {
    return result != Result.OWN && result != Result.BY_FALLBACK;
  }

  /** The stage gave nothing, and without it there is no answer. */
  boolean failsJourney() {
    return result != null
        && missing()
        && !budget.optional()
        && budget.type() != StageType.EMBED
        && budget.type() != StageType.SEARCH;
  }

  /** From then on the stages beside it do not wait for it. */
  long lateNanos() {
    return lateAfter == Call.NEVER ? Call.NEVER : start + lateAfter;
  }

  /** Its own backend was called. */
  boolean asked() {
    return own.primary().state() != State.IDLE;
  }

  boolean askedFallback() {
    return fallback.state() != State.IDLE;
  }

  /** Tells what its calls took, once it has ended. */
  void tell(Counts counts) {
    StageCounts of = counts.stage(stage);
    Call primary = own.primary();
    if (primary.state() != State.IDLE) {
      if (first) {
        of.primary(
            primary, journey.world().journey().forms().get(stage).byLevel().get(level).full());
      } else {
        of.fallback(primary);
      }
    }
    if (fallback.state() != State.IDLE) {
      of.fallback(fallback);
    }
  }
}
