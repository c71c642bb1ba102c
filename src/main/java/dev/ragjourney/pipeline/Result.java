package dev.ragjourney.pipeline;

/** How an attempt at a stage's work came out. */
sealed interface Result<T> {
  /** A valid answer. */
  record Value<T>(T value) implements Result<T> {}

  /**
   * The backend did not do its work.
   *
   * @param message for logs and answers
   */
  record Failure<T>(BackendException.Kind kind, String message) implements Result<T> {}

  /** Ended by us. */
  record CutOff<T>(Cut cut) implements Result<T> {}
}
