package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * A backend did not do its work. The message is for logs and answers: it never holds a secret, a
 * prompt or a document.
 */
public final class BackendException extends Exception {

  /**
   * What kind of failure; decides whether another attempt may cure it. The label is the metrics'
   * spelling.
   */
  public enum Kind {
    /** No connection, or it broke. */
    UNAVAILABLE("unavailable", true),
    /** The backend's own time-out, shorter than ours. */
    BACKEND_TIMEOUT("backend_timeout", true),
    /** 429 or 503: too much work just now. */
    OVERLOADED("overloaded", true),
    /** 5xx other than 503. */
    SERVER_ERROR("server_error", false),
    /** 4xx: the request or the key is wrong. */
    REFUSED("refused", false),
    /**
     * The answer is not what it should be: error-shaped, empty, cut off, wrong dimension, not
     * finite.
     */
    INVALID_ANSWER("invalid_answer", false),
    /** The backend cannot be used as configured: a secret, a file or documents are missing. */
    NOT_READY("not_ready", false);

    private final String label;
    private final boolean retryable;

    Kind(String label, boolean retryable) {
      this.label = label;
      this.retryable = retryable;
    }

    public String label() {
      return label;
    }

    public boolean retryable() {
      return retryable;
    }
  }

  private final Kind kind;
  private final long retryAfterNanos;

  public BackendException(Kind kind, String message) {
    this(kind, message, null);
  }

  public BackendException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfterNanos = 0;
  }

  /**
   * @param retryAfterNanos how long the backend asks to be left alone
   */
  public BackendException(Kind kind, String message, long retryAfterNanos) {
    super(message);
    this.kind = kind;
    this.retryAfterNanos = retryAfterNanos;
  }

  public Kind kind() {
    return kind;
  }

  /** How long the backend asks to be left alone; zero if it does not say. */
  public long retryAfterNanos() {
    return retryAfterNanos;
  }
}
