package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A try at a stage's work. It is moved on by the journey's thread alone, which sleeps in between; a
 * fail-over, a retry or a hedge is an attempt made of attempts.
 */
interface Attempt<T> {
  /**
   * Starts what is due and looks at what has ended.
   *
   * @return when to be moved on again if the bell does not ring before; {@link Bell#NEVER} for only
   *     then
   */
  long advance(long nowNanos);

  /** Null while it is not decided. */
  @Nullable Result<T> result();

  /** Nothing of it has been used: the same may be tried again. */
  default boolean repeatable() {
    return true;
  }

  /** Ends what is still running. */
  void cancel(Cut why);

  /** Moves the end of what is running and of what will be started. */
  void limitTo(long endNanos, Cut whenReached);
}
