package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A drill in place of a stage's own call: no backend is asked, and the stage takes the way that it
 * would take if its backend hung or failed.
 */
final class ForcedFailure<T> implements Attempt<T> {
  private final Drill.Failure failure;
  private long endNanos;
  private @Nullable Result<T> result;

  ForcedFailure(Drill.Failure failure, long endNanos) {
    this.failure = failure;
    this.endNanos = endNanos;
  }

  @Override
  public long advance(long nowNanos) {
    if (result == null && (failure == Drill.Failure.ERROR || nowNanos - endNanos >= 0)) {
      result = new Result.Withheld<>("drill", "forced to fail by a drill");
    }
    return result == null ? endNanos : Bell.NEVER;
  }

  @Override
  public @Nullable Result<T> result() {
    return result;
  }

  @Override
  public void cancel(Cut why) {
    if (result == null) {
      result = new Result.CutOff<>(why);
    }
  }

  @Override
  public void limitTo(long newEndNanos, Cut newWhenReached) {
    endNanos = newEndNanos;
  }
}
