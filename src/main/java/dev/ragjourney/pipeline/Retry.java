package dev.ragjourney.pipeline;

import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Attempts one after the other: the next one only when the one before has failed in a way that
 * another may cure, never because it is slow. All of them spend from one allowance.
 */
final class Retry<T> implements Attempt<T> {
  /** Makes one attempt. */
  @FunctionalInterface
  interface Attempts<T> {
    /**
     * @param number of the attempt, the first being 0
     * @param endNanos it is cut off then
     * @param whenReached the reason to record for that
     */
    Attempt<T> make(int number, long endNanos, Cut whenReached);
  }

  private final RetryRule rule;
  private final Attempts<T> attempts;
  private final DoubleSupplier chance;
  private final RatioLimit share;
  private final long allowanceEndNanos;
  private long endNanos;
  private Cut whenReached;

  private int made;
  private long attemptEndNanos;
  private long nextStartNanos;
  private @Nullable Attempt<T> current;
  private Result.@Nullable Failure<T> last;
  private @Nullable Result<T> result;

  /**
   * @param chance draws the backoffs, 0 to 1
   * @param share of the stage's calls that may be tried again
   * @param allowanceEndNanos further attempts must fit before it
   * @param endNanos the first attempt is cut off then at the latest
   * @param whenReached the reason to record for that
   */
  Retry(
      RetryRule rule,
      Attempts<T> attempts,
      DoubleSupplier chance,
      RatioLimit share,
      long allowanceEndNanos,
      long endNanos,
      Cut whenReached) {
    this.rule = rule;
    this.attempts = attempts;
    this.chance = chance;
    this.share = share;
    this.allowanceEndNanos = allowanceEndNanos;
    this.endNanos = endNanos;
    this.whenReached = whenReached;
  }

  @Override
  public long advance(long nowNanos) {
    while (result == null) {
      Attempt<T> running = current;
      if (running == null) {
        if (made > 0 && nowNanos - nextStartNanos < 0) {
          return nextStartNanos;
        }
        running = next(nowNanos);
        if (running == null) {
          result = last;
          break;
        }
      }
      long wake = running.advance(nowNanos);
      Result<T> ended = running.result();
      if (ended == null) {
        return wake;
      }
      ended(running, ended, nowNanos);
    }
    return Bell.NEVER;
  }

  /** The next attempt; null if the wait has used up its time. */
  private @Nullable Attempt<T> next(long nowNanos) {
    if (made > 0 && !rule.stillUseful(left(nowNanos))) {
      return null;
    }
    long limit = made == 0 ? endNanos : nowNanos + left(nowNanos);
    attemptEndNanos = rule.endNanos(made, nowNanos);
    Attempt<T> next =
        attemptEndNanos - limit < 0
            ? attempts.make(made, attemptEndNanos, Cut.CAP)
            : attempts.make(made, limit, whenReached);
    made++;
    current = next;
    return next;
  }

  private void ended(Attempt<T> attempt, Result<T> ended, long nowNanos) {
    if (ended instanceof Result.Failure<T> failure && attempt.repeatable()) {
      RetryRule.Next next = rule.after(failure, made, left(nowNanos), chance.getAsDouble());
      if (next instanceof RetryRule.Next.Again(long wait) && share.take()) {
        last = failure;
        nextStartNanos = nowNanos + wait;
        current = null;
        return;
      }
    }
    result = ended;
  }

  private long left(long nowNanos) {
    return Math.min(allowanceEndNanos - nowNanos, endNanos - nowNanos);
  }

  @Override
  public @Nullable Result<T> result() {
    return result;
  }

  @Override
  public void cancel(Cut why) {
    if (current != null) {
      current.cancel(why);
      if (result == null) {
        result = current.result();
      }
    } else if (result == null) {
      result = new Result.CutOff<>(why);
    }
  }

  @Override
  public void limitTo(long newEndNanos, Cut newWhenReached) {
    endNanos = newEndNanos;
    whenReached = newWhenReached;
    if (current != null) {
      if (attemptEndNanos - newEndNanos < 0) {
        current.limitTo(attemptEndNanos, Cut.CAP);
      } else {
        current.limitTo(newEndNanos, newWhenReached);
      }
    }
  }
}
