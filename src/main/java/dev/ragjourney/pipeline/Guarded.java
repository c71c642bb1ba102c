package dev.ragjourney.pipeline;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An attempt that a breaker let through and is told the end of, once. */
final class Guarded<T> implements Attempt<T> {
  private final Breaker breaker;
  private final Attempt<T> attempt;
  private final Supplier<Breaker.Verdict> verdict;
  private boolean told;

  /**
   * @param verdict asked when the attempt is decided
   */
  Guarded(Breaker breaker, Attempt<T> attempt, Supplier<Breaker.Verdict> verdict) {
    this.breaker = breaker;
    this.attempt = attempt;
    this.verdict = verdict;
  }

  @Override
  public long advance(long nowNanos) {
    long next = attempt.advance(nowNanos);
    if (attempt.result() != null) {
      tell();
    }
    return next;
  }

  private void tell() {
    if (!told) {
      told = true;
      breaker.ended(verdict.get());
    }
  }

  @Override
  public @Nullable Result<T> result() {
    return attempt.result();
  }

  @Override
  public boolean repeatable() {
    return attempt.repeatable();
  }

  @Override
  public void cancel(Cut why) {
    attempt.cancel(why);
    tell();
  }

  @Override
  public void limitTo(long endNanos, Cut whenReached) {
    attempt.limitTo(endNanos, whenReached);
  }
}
