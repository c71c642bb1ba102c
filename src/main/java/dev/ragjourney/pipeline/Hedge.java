package dev.ragjourney.pipeline;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call and, when it is slow, a second copy of it: the first valid answer wins, the other one is
 * closed. It is no retry: a first copy that fails alone has failed, and one that fails beside the
 * second leaves it running.
 */
final class Hedge<T> implements Attempt<T> {
  private final Admitted<T> first;
  private final long afterNanos;
  private final Supplier<@Nullable Attempt<T>> copies;
  private final Consumer<HedgeOutcome> told;
  private boolean asked;
  private @Nullable Attempt<T> second;
  private @Nullable Result<T> result;

  /**
   * @param afterNanos how long the first copy runs alone, from its own start
   * @param copies asked once; gives null if there may be none
   * @param told once, if a second copy was due
   */
  Hedge(
      Admitted<T> first,
      long afterNanos,
      Supplier<@Nullable Attempt<T>> copies,
      Consumer<HedgeOutcome> told) {
    this.first = first;
    this.afterNanos = afterNanos;
    this.copies = copies;
    this.told = told;
  }

  @Override
  public long advance(long nowNanos) {
    if (result != null) {
      return Bell.NEVER;
    }
    long next = first.advance(nowNanos);
    Result<T> one = first.result();
    if (one instanceof Result.Value) {
      return decide(one, HedgeOutcome.LOST);
    }
    if (one == null && !asked && first.started()) {
      long due = first.startNanos() + afterNanos;
      if (nowNanos - due < 0) {
        return Math.min(next, due);
      }
      asked = true;
      second = copies.get();
      if (second == null) {
        told.accept(HedgeOutcome.LIMITED);
      }
    }
    Attempt<T> copy = second;
    if (copy == null) {
      return one == null ? next : decide(one, HedgeOutcome.LOST);
    }
    next = Math.min(next, copy.advance(nowNanos));
    Result<T> two = copy.result();
    if (two instanceof Result.Value) {
      return decide(two, HedgeOutcome.WON);
    }
    return one != null && two != null ? decide(one, HedgeOutcome.LOST) : next;
  }

  private long decide(Result<T> decided, HedgeOutcome outcome) {
    result = decided;
    if (second != null) {
      (outcome == HedgeOutcome.WON ? first : second).cancel(Cut.LOST);
      told.accept(outcome);
    }
    return Bell.NEVER;
  }

  @Override
  public @Nullable Result<T> result() {
    return result;
  }

  @Override
  public boolean repeatable() {
    Attempt<T> copy = second;
    return first.repeatable() && (copy == null || copy.repeatable());
  }

  @Override
  public void cancel(Cut why) {
    if (result != null) {
      return;
    }
    first.cancel(why);
    result = first.result();
    if (second != null) {
      second.cancel(why);
      told.accept(HedgeOutcome.LOST);
    }
  }

  @Override
  public void limitTo(long endNanos, Cut whenReached) {
    first.limitTo(endNanos, whenReached);
    if (second != null) {
      second.limitTo(endNanos, whenReached);
    }
  }
}
