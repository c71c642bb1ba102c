package dev.ragjourney.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.Turn;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /v1/chat/completions}.
 *
 * @param model the journey's name; empty where none was given
 * @param user who asks; empty where nobody is named
 */
record ChatRequest(String model, String user, ChatMessages messages, ChatParameters parameters)
    implements Asking {
  private static final String RIGHT =
      "{\"model\": \"…\", \"messages\": [{\"role\": \"user\", \"content\": \"…\"}]}";

  /**
   * @param contentType the request's header; null where there is none
   */
  static ChatRequest parse(@Nullable String contentType, byte[] body) throws RefusedException {
    JsonNode json = RequestJson.object(contentType, body, RIGHT);
    return new ChatRequest(
        text(json, "model"),
        text(json, "user"),
        ChatMessages.parse(json.path("messages")),
        ChatParameters.parse(json));
  }

  private static String text(JsonNode body, String name) throws RefusedException {
    JsonNode value = body.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isTextual()) {
      throw OpenAiError.refused(name, "invalid_type", "\"" + name + "\" is not a string");
    }
    return value.textValue();
  }

  @Override
  public String question() {
    return messages.question();
  }

  @Override
  public List<Turn> earlier() {
    return messages.earlier();
  }

  @Override
  public boolean stream() {
    return parameters.stream();
  }

  @Override
  public @Nullable Integer maxTokens() {
    return parameters.maxTokens();
  }

  @Override
  public Voice voice(Route route, ServerResponse response, Instant now) throws RefusedException {
    if (!model.isEmpty() && !model.equals(route.journey())) {
      throw OpenAiError.unknownModel(model, route.journey());
    }
    List<String> ignored = new ArrayList<>(messages.ignored());
    ignored.addAll(parameters.ignored());
    return new ChatVoice(response, parameters, ChatCompletion.begun(route.journey(), now, ignored));
  }
}
