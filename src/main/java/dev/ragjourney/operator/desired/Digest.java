package dev.ragjourney.operator.desired;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/** Short digests for names and annotations. */
final class Digest {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final int HEX_DIGITS = 10;

  private Digest() {}

  /**
   * Of what an object says: the order of its fields, and fields without a value, do not count,
   * which another version of the client may write otherwise.
   */
  static String ofContent(Object object) {
    return of(content(JSON.valueToTree(object)).toString());
  }

  private static JsonNode content(JsonNode node) {
    if (node.isArray()) {
      ArrayNode elements = JSON.createArrayNode();
      node.forEach(element -> elements.add(content(element)));
      return elements;
    }
    if (!node.isObject()) {
      return node;
    }
    SortedMap<String, JsonNode> fields = new TreeMap<>();
    node.properties().forEach(field -> fields.put(field.getKey(), content(field.getValue())));
    fields.values().removeIf(Digest::empty);
    return JSON.createObjectNode().setAll(fields);
  }

  /** The API server leaves such values out of what it stores. */
  static boolean empty(JsonNode node) {
    return node.isNull()
        || (node.isContainerNode() && node.isEmpty())
        || (node.isTextual() && node.asText().isEmpty());
  }

  /** The first ten hexadecimal digits of SHA-256. */
  static String of(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, HEX_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
