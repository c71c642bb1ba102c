package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A call that starts when its backend has room for it. Waiting for that is part of the call's own
 * time; without room until then, no call is made.
 *
 * <p>The permit goes back when the call's work has ended, not when the call was cut: until then it
 * still is the backend's work.
 */
final class Admitted<T> implements Attempt<T> {
  private final BackendLimit.Permit permit;
  private final boolean waits;
  private final String backend;
  private final Attempt<T> call;
  private final long leastNanos;
  private long endNanos;
  private boolean started;
  private long startNanos;
  private @Nullable Result<T> withheld;

  /**
   * @param permit given back by the call
   * @param waits for room; else there is no call without it
   * @param leastNanos with less than this left the call is not worth its start
   * @param endNanos the call's end
   */
  Admitted(
      BackendLimit.Permit permit,
      boolean waits,
      String backend,
      Attempt<T> call,
      long leastNanos,
      long endNanos) {
    this.permit = permit;
    this.waits = waits;
    this.backend = backend;
    this.call = call;
    this.leastNanos = leastNanos;
    this.endNanos = endNanos;
  }

  @Override
  public long advance(long nowNanos) {
    if (withheld != null) {
      return Bell.NEVER;
    }
    if (!started) {
      boolean room = permit.take(waits);
      boolean worthIt = endNanos - nowNanos >= leastNanos;
      if (waits && !room && worthIt) {
        return endNanos - leastNanos + 1;
      }
      if (!room || !worthIt) {
        withhold(
            new Result.Withheld<>("overload", backend + " has as many calls from here as it may"));
        return Bell.NEVER;
      }
      started = true;
      startNanos = nowNanos;
    }
    return call.advance(nowNanos);
  }

  private void withhold(Result<T> instead) {
    permit.giveBack();
    withheld = instead;
  }

  @Override
  public @Nullable Result<T> result() {
    return withheld != null ? withheld : started ? call.result() : null;
  }

  @Override
  public boolean repeatable() {
    return call.repeatable();
  }

  /** Meaningless before the call is {@link #started}. */
  long startNanos() {
    return startNanos;
  }

  boolean started() {
    return started;
  }

  @Override
  public void cancel(Cut why) {
    if (started) {
      call.cancel(why);
    } else if (withheld == null) {
      withhold(new Result.CutOff<>(why));
    }
  }

  @Override
  public void limitTo(long newEndNanos, Cut whenReached) {
    endNanos = newEndNanos;
    call.limitTo(newEndNanos, whenReached);
  }
}
