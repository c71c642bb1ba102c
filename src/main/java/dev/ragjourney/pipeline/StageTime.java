package dev.ragjourney.pipeline;

import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The time of one stage, as it was when the stage began. All moments are nanoseconds of the pod's
 * clock.
 *
 * <p>Where the budget is only observed, nothing ends before the journey itself must answer, and a
 * fallback starts only where the primary failed; {@link #allowance} and {@link #limit} still say
 * what the rules would give.
 */
final class StageTime {
  private final BudgetTable table;
  private final int stage;
  private final int level;
  private final double k;
  private final long startNanos;
  private final long remaining;
  private final long ruledRemaining;
  private final boolean observed;
  private final long journeyEnd;

  StageTime(Trip trip, int stage, int level) {
    table = trip.table();
    this.stage = stage;
    this.level = level;
    k = trip.deadline().k();
    startNanos = trip.now();
    remaining = trip.deadline().remaining(startNanos);
    ruledRemaining = remaining + trip.overruns().nanos();
    observed = trip.observed();
    journeyEnd = trip.deadline().atNanos() - table.reserve(stage, k);
  }

  /** The rules only watch. */
  boolean observed() {
    return observed;
  }

  long startNanos() {
    return startNanos;
  }

  /** Of the journey, when the stage began. */
  long remaining() {
    return remaining;
  }

  /** What the rules give. */
  long allowance() {
    return table.allowance(stage, level, ruledRemaining, k);
  }

  /** What bounds the allowance by the rules. */
  Limit limit() {
    return table.limit(stage, level, ruledRemaining, k);
  }

  /** Whether the stage's own call starts at all. */
  boolean starts() {
    return observed ? journeyEnd - startNanos >= table.minUseful(stage) : limit() != Limit.NO_TIME;
  }

  /** The end of a call without a fallback. */
  long end() {
    return observed ? journeyEnd : startNanos + allowance();
  }

  /** Why a call ends at {@link #end}. */
  Cut endCut() {
    return observed ? Cut.DEADLINE : cutOf(limit());
  }

  /** When the fallback of a primary that has not failed starts. */
  long failOver() {
    return observed ? journeyEnd : startNanos + table.failOver(stage, level, remaining, k);
  }

  /** The fail-over comes before its declared moment, because earlier stages used the time up. */
  boolean squeezed() {
    return table.failOver(stage, level, remaining, k)
        < table.failOver(stage, level, Long.MAX_VALUE / 2, 1);
  }

  /**
   * The end of the stage.
   *
   * @param failOverNanos when its fallback starts
   */
  long endWithFallback(long failOverNanos) {
    return observed
        ? journeyEnd
        : startNanos
            + table.endWithFallback(stage, level, remaining, failOverNanos - startNanos, k);
  }

  /** Why a call ends at {@link #endWithFallback}. */
  Cut endCutWithFallback(long failOverNanos) {
    return observed
        ? Cut.DEADLINE
        : cutOf(table.endLimit(stage, level, remaining, failOverNanos - startNanos, k));
  }

  /**
   * The end of a fallback that starts now.
   *
   * @param capNanos the fallback's own cap; the end of the stage comes first in any case
   */
  long endOfFallback(long nowNanos, long capNanos) {
    long end = endWithFallback(nowNanos);
    return observed ? end : Math.min(end, nowNanos + capNanos);
  }

  /**
   * What the rules would have done to a stage that went on until now, where they only watch: the
   * reason, like {@code cap}; null for nothing.
   *
   * @param fallback the stage has a fallback, which moves its end
   */
  @Nullable String wouldCut(long endedNanos, boolean fallback) {
    if (!observed || endedNanos - startNanos <= ruledNanos(fallback)) {
      return null;
    }
    if (limit() == Limit.NO_TIME) {
      return "no_time";
    }
    Limit limit =
        fallback ? table.endLimit(stage, level, ruledRemaining, ruledFailOver(), k) : limit();
    return cutOf(limit).label();
  }

  /** The most that the rules give to the stage; zero where they would not start it. */
  long ruledNanos(boolean fallback) {
    if (limit() == Limit.NO_TIME) {
      return 0;
    }
    return fallback
        ? table.endWithFallback(stage, level, ruledRemaining, ruledFailOver(), k)
        : allowance();
  }

  private long ruledFailOver() {
    return table.failOver(stage, level, ruledRemaining, k);
  }

  private static Cut cutOf(Limit limit) {
    return limit == Limit.CAP ? Cut.CAP : Cut.DEADLINE;
  }
}
