package dev.ragjourney.simulate;

import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.simulate.Call.Cut;
import dev.ragjourney.simulate.Call.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stage's own attempts as the pod makes them: one after the other where they fail, each with a
 * second copy where it is slow. Failures of simulated calls are of the kind that another attempt
 * may cure.
 */
final class Tries {
  /** A deadline below 1 ms means: do not call. */
  static final long LEAST_CALL = 1_000_000;

  private static final long NO_CAP = Long.MAX_VALUE;
  private static final long ENDED = -1;

  private final int stage;
  private final @Nullable HedgeBudget hedge;
  private final long @Nullable [] attemptCaps;
  private final long backoffMin;
  private final long backoffSpread;
  private final long minUseful;
  private final JourneyRun journey;
  private final Call primary;
  private final Call again;
  private final Call copy;

  private Call first;
  private int law;
  private int made;
  private boolean between;
  private boolean asked;
  private boolean entered;
  private long allowanceEnd;
  private long end;
  private Cut whenReached = Cut.DEADLINE;
  private long attemptEnd;
  private long nextStart;
  private long copyEnd;
  private Cut copyCut = Cut.DEADLINE;
  private State state = State.IDLE;

  Tries(JourneyRun journey, int stage, StageBudget budget, Servers servers) {
    this.journey = journey;
    this.stage = stage;
    hedge = budget.hedge();
    RetryBudget retry = budget.retry();
    attemptCaps =
        retry == null ? null : retry.attemptCaps().stream().mapToLong(Duration::toNanos).toArray();
    backoffMin = retry == null ? 0 : retry.backoffMin().toNanos();
    backoffSpread = retry == null ? 0 : Math.max(0, retry.backoffMax().toNanos() - backoffMin);
    minUseful = Math.max(LEAST_CALL, budget.minUseful().toNanos());
    primary = new Call(servers, journey);
    again = new Call(servers, journey);
    copy = new Call(servers, journey);
    first = primary;
  }

  /**
   * @param untilAllowance further attempts must fit before it
   * @param until the first attempt is cut then at the latest
   */
  void begin(int ofLaw, long now, long untilAllowance, long until, Cut why) {
    law = ofLaw;
    allowanceEnd = untilAllowance;
    end = until;
    whenReached = why;
    made = 0;
    state = State.RUNNING;
    again.reset();
    if (attemptCaps != null) {
      journey.helps().retries(stage).called();
    }
    attempt(now);
  }

  void reset() {
    state = State.IDLE;
    primary.reset();
    copy.reset();
  }

  /** The stage's very first call, which its figures are about. */
  Call primary() {
    return primary;
  }

  State state() {
    return state;
  }

  boolean settled() {
    return state != State.IDLE && state != State.RUNNING;
  }

  private long left(long now) {
    return Math.min(allowanceEnd - now, end - now);
  }

  private void attempt(long now) {
    first = made == 0 ? primary : again;
    between = false;
    asked = false;
    copy.reset();
    long limit = made == 0 ? end : now + left(now);
    Cut why = whenReached;
    attemptEnd = NO_CAP;
    if (attemptCaps != null) {
      attemptEnd = now + attemptCaps[made];
      if (attemptEnd < limit) {
        limit = attemptEnd;
        why = Cut.CAP;
      }
    }
    made++;
    copyEnd = limit;
    copyCut = why;
    if (hedge != null) {
      journey.helps().hedges(stage).called();
    }
    first.begin(law, journey.draw(stage, law), now, limit, why);
  }

  /**
   * @return when to be moved on again
   */
  long advance(long now) {
    while (state == State.RUNNING) {
      if (between) {
        if (now < nextStart) {
          return nextStart;
        }
        if (left(now) < minUseful) {
          state = State.FAILED;
          break;
        }
        attempt(now);
      }
      long next = advanceCopies(now);
      if (next != ENDED) {
        return next;
      }
    }
    return Call.NEVER;
  }

  private long advanceCopies(long now) {
    long next = first.advance(now);
    if (first.answered()) {
      copyOver(now, Cut.LOST);
      return ended(State.ANSWERED, now);
    }
    if (first.running() && !asked && hedge != null) {
      long due = first.startNanos() + hedge.after().toNanos();
      if (now < due) {
        return Math.min(next, due);
      }
      asked = true;
      entered = copyEnd - now >= LEAST_CALL && journey.helps().hedges(stage).enter();
      if (entered) {
        copy.begin(law, journey.draw(stage, law), now, copyEnd, copyCut);
      }
    }
    if (copy.state() == State.IDLE) {
      return first.running() ? next : ended(first.state(), now);
    }
    next = Math.min(next, copy.advance(now));
    if (!copy.running()) {
      left();
    }
    if (copy.answered()) {
      first.cancel(Cut.LOST, now);
      return ended(State.ANSWERED, now);
    }
    return first.settled() && copy.settled() ? ended(first.state(), now) : next;
  }

  /** An attempt came out so: the stage's result, or a reason to try again. */
  private long ended(State result, long now) {
    if (result == State.FAILED && attemptCaps != null) {
      long wait = backoffMin + (long) (backoffSpread * journey.helps().chance());
      boolean fits =
          made < attemptCaps.length && wait <= left(now) - Math.max(attemptCaps[made], minUseful);
      if (fits && journey.helps().retries(stage).take()) {
        between = true;
        nextStart = now + wait;
        return ENDED;
      }
    }
    state = result;
    return ENDED;
  }

  private void copyOver(long now, Cut why) {
    copy.cancel(why, now);
    left();
  }

  private void left() {
    if (entered) {
      entered = false;
      journey.helps().hedges(stage).leave();
    }
  }

  void cancel(Cut why, long now) {
    if (state == State.RUNNING) {
      first.cancel(why, now);
      copyOver(now, why);
      state = between ? State.CUT : first.state();
    }
  }

  void limitTo(long until, Cut why) {
    end = until;
    whenReached = why;
    if (state == State.RUNNING && !between) {
      boolean capped = attemptEnd < until;
      first.limitTo(capped ? attemptEnd : until, capped ? Cut.CAP : why);
      copy.limitTo(capped ? attemptEnd : until, capped ? Cut.CAP : why);
    }
  }
}
