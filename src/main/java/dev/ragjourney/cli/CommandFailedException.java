package dev.ragjourney.cli;

import java.io.Serial;

/**
 * A command that cannot be carried out; the message names what was found and what would be right.
 */
final class CommandFailedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  CommandFailedException(String message) {
    super(message);
  }
}
