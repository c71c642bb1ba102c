package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/** How the generate stage came out. */
sealed interface Writing {
  /**
   * An answer.
   *
   * @param text the whole of it
   * @param fallback the form that wrote it in the primary's place; null for the primary
   * @param firstTokenNanos when its first content came, on the pod's clock
   * @param truncated reading stopped before the model's own end
   * @param message why it broke off by itself; null if it did not
   * @param completion how the model ended; null if it was not read to its own end
   */
  record Written(
      String text,
      @Nullable StageForm fallback,
      long firstTokenNanos,
      boolean truncated,
      @Nullable String message,
      @Nullable Completion completion)
      implements Writing {
    /** The same answer in other words, which the caller has from then on. */
    Written as(String newText, long nowNanos) {
      return new Written(newText, fallback, nowNanos, truncated, message, completion);
    }
  }

  /**
   * No answer from this rung.
   *
   * @param reason {@code timeout}, {@code error} or {@code no_time}
   */
  record Unwritten(String reason, String message) implements Writing {}
}
