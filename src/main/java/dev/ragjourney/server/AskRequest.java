package dev.ragjourney.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /v1/ask}.
 *
 * @param question not blank
 * @param stream whether the answer is wanted as it is written
 */
record AskRequest(String question, boolean stream) {
  private static final String RIGHT = "{\"question\": \"…\", \"stream\": false}";
  private static final List<String> FIELDS = List.of("question", "stream");
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * @param contentType the request's header; null where there is none
   */
  static AskRequest parse(@Nullable String contentType, byte[] body) throws RefusedException {
    checkContentType(contentType);
    JsonNode json = json(body);
    if (!json.isObject()) {
      throw wrong("the body is not a JSON object; send " + RIGHT);
    }
    for (String field : (Iterable<String>) json::fieldNames) {
      if (!FIELDS.contains(field)) {
        throw wrong("unknown field \"%s\"; known are %s".formatted(shortened(field), FIELDS));
      }
    }
    JsonNode question = json.path("question");
    if (!question.isTextual()) {
      throw wrong("\"question\" is missing or not a string; send " + RIGHT);
    }
    if (question.textValue().isBlank()) {
      throw wrong("\"question\" is blank; ask something");
    }
    JsonNode stream = json.path("stream");
    if (!stream.isMissingNode() && !stream.isBoolean()) {
      throw wrong("\"stream\" is not true or false");
    }
    return new AskRequest(question.textValue().strip(), stream.asBoolean());
  }

  private static void checkContentType(@Nullable String contentType) throws RefusedException {
    String type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
    if (!type.equalsIgnoreCase("application/json")) {
      throw wrong(
          "the content type is %s; send application/json"
              .formatted(type.isEmpty() ? "missing" : "\"" + shortened(type) + "\""));
    }
  }

  private static JsonNode json(byte[] body) throws RefusedException {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " at line %d, column %d"
                  .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
      throw wrong("the body is not valid JSON%s; send %s".formatted(where, RIGHT));
    } catch (IOException e) {
      throw wrong("the body is not valid UTF-8; send " + RIGHT);
    }
  }

  /** What a caller sent is given back in part only: it may be long. */
  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  private static RefusedException wrong(String detail) {
    return new RefusedException(new Problem(400, "Bad Request", detail));
  }
}
