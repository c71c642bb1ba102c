package dev.ragjourney.server;

import io.helidon.webserver.http.ServerResponse;
import org.jspecify.annotations.Nullable;

/** {@code /v1/chat/completions}: OpenAI's shape, in answers and in errors. */
final class ChatDialect implements Dialect {
  /** Chat programs send the whole conversation each time. */
  private static final int MAX_BYTES = 256 * 1024;

  @Override
  public int maxBytes() {
    return MAX_BYTES;
  }

  @Override
  public Asking read(@Nullable String contentType, byte[] body) throws RefusedException {
    return ChatRequest.parse(contentType, body);
  }

  @Override
  public void refuse(Problem problem, ServerResponse response) {
    OpenAiError.send(problem, response);
  }
}
