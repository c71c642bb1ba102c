package dev.ragjourney.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a chat request says beside its messages. What only tunes the model is the journey's owner's
 * to decide, so it is left out and said to be; what would make the answer another kind of answer is
 * refused.
 *
 * @param stream whether the answer is wanted as it is written
 * @param usage whether a stream is to end with the tokens used
 * @param maxTokens the smallest limit given; null for none
 * @param ignored names of the parameters that were left out
 */
record ChatParameters(
    boolean stream, boolean usage, @Nullable Integer maxTokens, List<String> ignored) {
  private static final Set<String> READ =
      Set.of(
          "messages",
          "model",
          "stream",
          "stream_options",
          "max_tokens",
          "max_completion_tokens",
          "user",
          "n",
          "response_format",
          "modalities");

  /** Refused unless absent, null, empty or false. */
  private static final Map<String, String> CHANGE_THE_MEANING =
      Map.of(
          "tools", "a journey calls no tools of its caller's",
          "functions", "a journey calls no functions of its caller's",
          "stop", "a journey's answer ends where its model ends it",
          "logprobs", "a journey gives no log probabilities",
          "top_logprobs", "a journey gives no log probabilities",
          "audio", "a journey answers in text",
          "web_search_options", "a journey searches where its owner says");

  ChatParameters {
    ignored = List.copyOf(ignored);
  }

  static ChatParameters parse(JsonNode body) throws RefusedException {
    List<String> ignored = new ArrayList<>();
    for (var member : body.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      String refusal = refusal(name, value);
      if (refusal != null) {
        throw OpenAiError.refused(RequestJson.shortened(name), "unsupported_parameter", refusal);
      }
      if (!READ.contains(name) && !CHANGE_THE_MEANING.containsKey(name) && !absent(value)) {
        ignored.add(RequestJson.shortened(name));
      }
    }
    JsonNode options = body.path("stream_options");
    return new ChatParameters(
        flag(body, "stream", "stream"),
        options.isObject() && flag(options, "include_usage", "stream_options.include_usage"),
        least(limit(body, "max_tokens"), limit(body, "max_completion_tokens")),
        ignored);
  }

  private static @Nullable String refusal(String name, JsonNode value) {
    return switch (name) {
      case "n" ->
          empty(value) || (value.isInt() && value.intValue() == 1)
              ? null
              : "\"n\" is not 1; a journey gives one answer";
      case "response_format" ->
          empty(value) || value.path("type").asText().equals("text")
              ? null
              : "\"response_format\" is not of type text; a journey answers in text";
      case "modalities" ->
          empty(value) || (value.size() == 1 && value.get(0).asText().equals("text"))
              ? null
              : "\"modalities\" is not [\"text\"]; a journey answers in text";
      default -> empty(value) ? null : CHANGE_THE_MEANING.get(name);
    };
  }

  private static boolean absent(JsonNode value) {
    return value.isNull()
        || (value.isTextual() && value.textValue().isEmpty())
        || (value.isContainerNode() && value.isEmpty());
  }

  /** Asks for nothing. */
  private static boolean empty(JsonNode value) {
    return absent(value)
        || (value.isBoolean() && !value.booleanValue())
        || (value.isNumber() && value.doubleValue() == 0);
  }

  private static boolean flag(JsonNode of, String name, String path) throws RefusedException {
    JsonNode value = of.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw OpenAiError.refused(path, "invalid_type", "\"" + path + "\" is not true or false");
    }
    return value.booleanValue();
  }

  private static @Nullable Integer limit(JsonNode body, String name) throws RefusedException {
    JsonNode value = body.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.canConvertToInt() || !value.isIntegralNumber() || value.intValue() < 1) {
      throw OpenAiError.refused(
          name, "invalid_value", "\"" + name + "\" is not a whole number above 0");
    }
    return value.intValue();
  }

  private static @Nullable Integer least(@Nullable Integer one, @Nullable Integer other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }
}
