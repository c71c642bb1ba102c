package dev.ragjourney.backends.http;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.ToolInput;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a tool is asked and how its answer is read. Unless the plan maps them otherwise: {@code
 * {"question", "answer"?, "remainingMs"}} → {@code {"text"}}.
 *
 * @param method POST and PUT send a JSON object, GET sends query parameters
 * @param request fields by what fills them
 * @param text where the answer has the text
 * @param repeatable the call changes nothing, or carries a key
 * @param idempotencyHeader the header of that key; null for none
 */
record ToolProtocol(
    String method,
    Map<String, String> request,
    JsonPointer text,
    boolean repeatable,
    @Nullable String idempotencyHeader) {
  /** A longer text is no tool's answer: it would be most of a model's context. */
  static final int MAX_TEXT = 100_000;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String REQUEST = "request.";
  private static final Map<String, String> PLAIN =
      Map.of("question", "question", "answer", "answer", "remainingMs", "remainingMs");

  /**
   * @throws IllegalArgumentException if a setting cannot be used, with the field
   */
  static ToolProtocol of(BackendPlan plan) {
    Map<String, String> settings = plan.settings();
    Map<String, String> request = new TreeMap<>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(REQUEST)) {
            request.put(name.substring(REQUEST.length()), value);
          }
        });
    String header = settings.get("idempotencyHeader");
    return new ToolProtocol(
        settings.getOrDefault("method", "POST"),
        request.isEmpty() ? PLAIN : request,
        JsonPointer.compile(settings.getOrDefault("response.text", "/text")),
        header != null || !Boolean.parseBoolean(settings.get("sideEffects")),
        header);
  }

  /** What there is no value for is left out. */
  ObjectNode request(ToolInput input, long remainingMillis) {
    ObjectNode object = NODES.objectNode();
    new TreeMap<>(request)
        .forEach(
            (field, source) -> {
              JsonNode value = value(source, input, remainingMillis);
              if (value != null) {
                object.set(field, value);
              }
            });
    return object;
  }

  private static @Nullable JsonNode value(String source, ToolInput input, long remainingMillis) {
    return switch (source) {
      case "question" -> NODES.textNode(input.question());
      case "vector" -> vector(input.vector());
      case "passages" -> passages(input);
      case "answer" -> input.answer() == null ? null : NODES.textNode(input.answer());
      case "remainingMs" -> NODES.numberNode(remainingMillis);
      default -> null;
    };
  }

  private static @Nullable JsonNode vector(float @Nullable [] vector) {
    if (vector == null) {
      return null;
    }
    ArrayNode components = NODES.arrayNode(vector.length);
    for (float component : vector) {
      components.add(component);
    }
    return components;
  }

  private static JsonNode passages(ToolInput input) {
    ArrayNode sent = NODES.arrayNode();
    for (Passage passage : input.passages()) {
      sent.addObject()
          .put("id", passage.id())
          .put("title", passage.title())
          .put("text", passage.text());
    }
    return sent;
  }

  static URI withQuery(URI url, ObjectNode parameters) {
    StringJoiner query = new StringJoiner("&", url.getRawQuery() == null ? "?" : "&", "");
    query.setEmptyValue("");
    parameters
        .properties()
        .forEach(
            each -> query.add(encoded(each.getKey()) + "=" + encoded(each.getValue().asText())));
    return URI.create(url + query.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A text, a number or a truth as it is; an object or a list as JSON. */
  String text(String backend, JsonNode answer) throws BackendException {
    JsonNode found = answer.at(text);
    String value = found.isContainerNode() ? found.toString() : found.asText("");
    if (found.isMissingNode() || found.isNull() || value.isBlank()) {
      throw Failures.invalid(backend, "the answer has nothing at \"" + text + "\"");
    }
    if (value.length() > MAX_TEXT) {
      throw Failures.invalid(
          backend, "a text of " + value.length() + " characters, at most " + MAX_TEXT);
    }
    return value;
  }
}
