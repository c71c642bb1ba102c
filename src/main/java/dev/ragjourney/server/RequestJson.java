package dev.ragjourney.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The JSON object of a request's body, read strictly. */
final class RequestJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private RequestJson() {}

  /**
   * @param contentType the request's header; null where there is none
   * @param right an example of a right body
   */
  static JsonNode object(@Nullable String contentType, byte[] body, String right)
      throws RefusedException {
    checkContentType(contentType);
    JsonNode json = json(body, right);
    if (!json.isObject()) {
      throw wrong("the body is not a JSON object; send " + right);
    }
    return json;
  }

  private static void checkContentType(@Nullable String contentType) throws RefusedException {
    String type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
    if (!type.equalsIgnoreCase("application/json")) {
      throw wrong(
          "the content type is %s; send application/json"
              .formatted(type.isEmpty() ? "missing" : "\"" + shortened(type) + "\""));
    }
  }

  private static JsonNode json(byte[] body, String right) throws RefusedException {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " at line %d, column %d"
                  .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
      throw wrong("the body is not valid JSON%s; send %s".formatted(where, right));
    } catch (IOException e) {
      throw wrong("the body is not valid UTF-8; send " + right);
    }
  }

  /** What a caller sent is given back in part only: it may be long. */
  static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  static RefusedException wrong(String detail) {
    return new RefusedException(new Problem(400, "Bad Request", detail));
  }
}
