package dev.ragjourney.server;

/** There is no place for a question, and none soon enough. */
final class OverloadedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int retryAfterSeconds;

  OverloadedException(int retryAfterSeconds) {
    super("too many questions at once", null, false, false);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  int retryAfterSeconds() {
    return retryAfterSeconds;
  }
}
