package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The patch formats of the API. None of them touches its arguments. */
final class Patches {
  private Patches() {}

  /** RFC 7386: lists are replaced, null removes. */
  static JsonNode merge(@Nullable JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch.deepCopy();
    }
    ObjectNode result =
        target instanceof ObjectNode object
            ? object.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    changes
        .properties()
        .forEach(
            change -> {
              if (change.getValue().isNull()) {
                result.remove(change.getKey());
              } else {
                result.set(change.getKey(), merge(result.get(change.getKey()), change.getValue()));
              }
            });
    return result;
  }

  /**
   * As {@link #merge}, and lists that are maps are merged element by element: the rule of strategic
   * merge (with {@code $patch: delete}) and of server-side apply.
   */
  static JsonNode mergeByKeys(@Nullable JsonNode target, JsonNode patch, String field) {
    if (patch instanceof ObjectNode changes) {
      ObjectNode result =
          target instanceof ObjectNode object
              ? object.deepCopy()
              : JsonNodeFactory.instance.objectNode();
      changes
          .properties()
          .forEach(
              change -> {
                String name = change.getKey();
                if (change.getValue().isNull()) {
                  result.remove(name);
                } else if (!name.startsWith("$")) {
                  result.set(name, mergeByKeys(result.get(name), change.getValue(), name));
                }
              });
      return result;
    }
    Optional<String> key = FieldPath.listKey(field, patch);
    if (key.isEmpty() || !(target instanceof ArrayNode existing)) {
      return patch.deepCopy();
    }
    ArrayNode result = existing.deepCopy();
    for (JsonNode element : patch) {
      ObjectNode present = FieldPath.element(result, key.get(), element.get(key.get()));
      int at = -1;
      for (int i = 0; i < result.size(); i++) {
        at = result.get(i) == present ? i : at;
      }
      if (element.path("$patch").asText().equals("delete")) {
        if (at >= 0) {
          result.remove(at);
        }
      } else if (at < 0) {
        result.add(mergeByKeys(null, element, ""));
      } else {
        result.set(at, mergeByKeys(present, element, ""));
      }
    }
    return result;
  }

  /** RFC 6902: {@code add}, {@code remove}, {@code replace} and {@code test}. */
  static JsonNode json(JsonNode target, JsonNode operations) {
    JsonNode result = target.deepCopy();
    for (JsonNode operation : operations) {
      String path = operation.path("path").asText();
      int slash = path.lastIndexOf('/');
      JsonNode parent = result.at(path.substring(0, slash));
      String leaf = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
      JsonNode value = operation.path("value");
      switch (operation.path("op").asText()) {
        case "add" -> add(parent, leaf, value);
        case "replace" -> {
          if (parent instanceof ArrayNode list) {
            list.set(Integer.parseInt(leaf), value);
          } else {
            add(parent, leaf, value);
          }
        }
        case "remove" -> {
          if (parent instanceof ArrayNode list) {
            list.remove(Integer.parseInt(leaf));
          } else if (parent instanceof ObjectNode object) {
            object.remove(leaf);
          }
        }
        case "test" -> {
          if (!result.at(path).equals(value)) {
            throw new ApiFailure(422, "Invalid", "test of " + path + " failed");
          }
        }
        default -> throw ApiFailure.badRequest("unknown operation in a JSON patch: " + operation);
      }
    }
    return result;
  }

  private static void add(JsonNode parent, String leaf, JsonNode value) {
    if (parent instanceof ArrayNode list) {
      if (leaf.equals("-")) {
        list.add(value);
      } else {
        list.insert(Integer.parseInt(leaf), value);
      }
    } else if (parent instanceof ObjectNode object) {
      object.set(leaf, value);
    } else {
      throw new ApiFailure(422, "Invalid", "a JSON patch names a parent that is not there");
    }
  }
}
