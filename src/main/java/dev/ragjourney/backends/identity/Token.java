package dev.ragjourney.backends.identity;

import java.util.concurrent.TimeUnit;

/**
 * A token and how long it holds.
 *
 * @param fromNanos monotonic, when it was asked for
 */
record Token(String text, long fromNanos, long lifetimeNanos) {
  /** Before its end: the services' clocks and ours differ, and another attempt may be needed. */
  private static final long MARGIN_NANOS = TimeUnit.MINUTES.toNanos(5);

  boolean holds(long nowNanos) {
    return nowNanos - fromNanos < lifetimeNanos;
  }

  /** When to ask for the next one. */
  long renewAfterNanos() {
    return lifetimeNanos - Math.min(MARGIN_NANOS, lifetimeNanos / 2);
  }

  @Override
  public String toString() {
    return "Token[" + text.length() + " characters]";
  }
}
