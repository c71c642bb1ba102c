package dev.ragjourney.server;

import io.helidon.webserver.http.ServerResponse;
import org.jspecify.annotations.Nullable;

/** {@code /v1/ask}: a question in, an answer with its facts out. */
final class AskDialect implements Dialect {
  /** A question with room to spare. */
  private static final int MAX_BYTES = 64 * 1024;

  @Override
  public int maxBytes() {
    return MAX_BYTES;
  }

  @Override
  public Asking read(@Nullable String contentType, byte[] body) throws RefusedException {
    return AskRequest.parse(contentType, body);
  }

  @Override
  public void refuse(Problem problem, ServerResponse response) {
    problem.send(response);
  }
}
