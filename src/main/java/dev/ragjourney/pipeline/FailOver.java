package dev.ragjourney.pipeline;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A primary, and a fallback that starts beside it when it is late or has failed: the first valid
 * answer wins, the other one is closed.
 */
final class FailOver<T> implements Attempt<T> {
  /** What a started fallback means to the primary. */
  enum Manner {
    /** Both run, the first valid answer wins. */
    RACE,
    /** The primary ends when the fallback starts. */
    REPLACE,
    /** Both run; a fallback's answer waits, and wins only if the primary gives none. */
    INSURE
  }

  private final Attempt<T> primary;
  private final long failOverNanos;
  private final Manner manner;
  private final Supplier<@Nullable Attempt<T>> fallbacks;
  private @Nullable Attempt<T> fallback;
  private boolean asked;
  private boolean byFallback;
  private @Nullable Result<T> result;

  /**
   * @param failOverNanos the fallback starts then at the latest
   * @param fallbacks asked once, when a fallback is needed; gives null if there may be none
   */
  FailOver(
      Attempt<T> primary,
      long failOverNanos,
      Manner manner,
      Supplier<@Nullable Attempt<T>> fallbacks) {
    this.primary = primary;
    this.failOverNanos = failOverNanos;
    this.manner = manner;
    this.fallbacks = fallbacks;
  }

  @Override
  public long advance(long nowNanos) {
    long next = primary.advance(nowNanos);
    Result<T> first = primary.result();
    if (first instanceof Result.Value) {
      return decide(first, fallback);
    }
    boolean needed = first != null || nowNanos - failOverNanos >= 0;
    if (needed && !asked) {
      asked = true;
      fallback = fallbacks.get();
      if (fallback != null && manner == Manner.REPLACE) {
        primary.cancel(Cut.CAP);
      }
    }
    Attempt<T> second = fallback;
    if (second == null) {
      return asked && first != null ? decide(first, null) : Math.min(next, alarm());
    }
    next = Math.min(next, second.advance(nowNanos));
    Result<T> secondResult = second.result();
    Result<T> firstNow = primary.result();
    if (secondResult instanceof Result.Value && (firstNow != null || manner != Manner.INSURE)) {
      byFallback = true;
      return decide(secondResult, primary);
    }
    return secondResult != null && firstNow != null ? decide(firstNow, null) : next;
  }

  @Override
  public @Nullable Result<T> result() {
    return result;
  }

  /** The result is the fallback's answer. */
  boolean byFallback() {
    return byFallback;
  }

  @Override
  public void cancel(Cut why) {
    primary.cancel(why);
    if (fallback != null) {
      fallback.cancel(why);
    }
  }

  @Override
  public void limitTo(long endNanos, Cut whenReached) {
    primary.limitTo(endNanos, whenReached);
    if (fallback != null) {
      fallback.limitTo(endNanos, whenReached);
    }
  }

  private long alarm() {
    return asked ? Bell.NEVER : failOverNanos;
  }

  private long decide(Result<T> decided, @Nullable Attempt<T> loser) {
    result = decided;
    if (loser != null) {
      loser.cancel(Cut.LOST);
    }
    return Bell.NEVER;
  }
}
