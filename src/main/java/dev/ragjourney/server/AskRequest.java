package dev.ragjourney.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.Turn;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /v1/ask}.
 *
 * @param question not blank
 * @param stream whether the answer is wanted as it is written
 */
record AskRequest(String question, boolean stream) implements Asking {
  private static final String RIGHT = "{\"question\": \"…\", \"stream\": false}";
  private static final List<String> FIELDS = List.of("question", "stream");

  /**
   * @param contentType the request's header; null where there is none
   */
  static AskRequest parse(@Nullable String contentType, byte[] body) throws RefusedException {
    JsonNode json = RequestJson.object(contentType, body, RIGHT);
    for (String field : (Iterable<String>) json::fieldNames) {
      if (!FIELDS.contains(field)) {
        throw RequestJson.wrong(
            "unknown field \"%s\"; known are %s".formatted(RequestJson.shortened(field), FIELDS));
      }
    }
    JsonNode question = json.path("question");
    if (!question.isTextual()) {
      throw RequestJson.wrong("\"question\" is missing or not a string; send " + RIGHT);
    }
    if (question.textValue().isBlank()) {
      throw RequestJson.wrong("\"question\" is blank; ask something");
    }
    JsonNode stream = json.path("stream");
    if (!stream.isMissingNode() && !stream.isBoolean()) {
      throw RequestJson.wrong("\"stream\" is not true or false");
    }
    return new AskRequest(question.textValue().strip(), stream.asBoolean());
  }

  @Override
  public List<Turn> earlier() {
    return List.of();
  }

  @Override
  public String user() {
    return "";
  }

  @Override
  public @Nullable Integer maxTokens() {
    return null;
  }

  @Override
  public Voice voice(Route route, ServerResponse response, Instant now) {
    return new AskVoice(response, stream);
  }
}
