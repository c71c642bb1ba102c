package dev.ragjourney.pipeline;

/** How an attempt at a stage's work came out. */
sealed interface Result<T> {
  /** A valid answer. */
  record Value<T>(T value) implements Result<T> {}

  /**
   * The backend did not do its work.
   *
   * @param message for logs and answers
   * @param retryAfterNanos how long the backend asks to be left alone; zero if it does not say
   */
  record Failure<T>(BackendException.Kind kind, String message, long retryAfterNanos)
      implements Result<T> {
    Failure(BackendException.Kind kind, String message) {
      this(kind, message, 0);
    }
  }

  /**
   * No call was made.
   *
   * @param reason as in the metrics: {@code breaker} or {@code overload}
   * @param message for logs and answers
   */
  record Withheld<T>(String reason, String message) implements Result<T> {}

  /** Ended by us. */
  record CutOff<T>(Cut cut) implements Result<T> {}
}
