package dev.ragjourney.prometheus;

import java.io.Serial;

/** The server did not answer, or not with data; the message is for a person. */
final class QueryFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  QueryFailedException(String message) {
    super(message);
  }
}
