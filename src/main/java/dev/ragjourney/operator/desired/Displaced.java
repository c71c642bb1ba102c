package dev.ragjourney.operator.desired;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ports whose number somebody changed. Server-side apply tells ports apart by number and protocol
 * and takes such a one for another port: it adds the wanted one beside it, and the API server
 * refuses two of one name. So the number is put back in its place first.
 */
public final class Displaced {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final String PORTS = "ports";

  /** By which server-side apply tells ports of Services and of containers apart. */
  private static final List<String> KEYS = List.of("port", "containerPort", "protocol");

  private Displaced() {}

  /**
   * @return a JSON patch (RFC 6902) of the live object, which fails if that changed meanwhile;
   *     empty where no port has another number than it should
   */
  public static Optional<String> putBack(HasMetadata desired, HasMetadata live) {
    ArrayNode patch = JSON.createArrayNode();
    compare("", JSON.valueToTree(desired), JSON.valueToTree(live), patch);
    return patch.isEmpty() ? Optional.empty() : Optional.of(patch.toString());
  }

  private static void compare(String path, JsonNode wanted, JsonNode live, ArrayNode patch) {
    if (wanted.isObject()) {
      for (Map.Entry<String, JsonNode> field : wanted.properties()) {
        String place = path + "/" + field.getKey();
        JsonNode found = live.path(field.getKey());
        if (field.getValue().isArray()) {
          compareLists(place, field.getValue(), found, field.getKey().equals(PORTS), patch);
        } else {
          compare(place, field.getValue(), found, patch);
        }
      }
    }
  }

  private static void compareLists(
      String path, JsonNode wanted, JsonNode live, boolean ports, ArrayNode patch) {
    for (JsonNode element : wanted) {
      for (int i = 0; i < live.size(); i++) {
        if (element.hasNonNull("name") && element.get("name").equals(live.get(i).get("name"))) {
          String place = path + "/" + i;
          if (ports) {
            putBack(place, element, live.get(i), patch);
          } else {
            compare(place, element, live.get(i), patch);
          }
        }
      }
    }
  }

  private static void putBack(String path, JsonNode wanted, JsonNode live, ArrayNode patch) {
    for (String key : KEYS) {
      if (wanted.hasNonNull(key)
          && live.hasNonNull(key)
          && !wanted.get(key).equals(live.get(key))) {
        String place = path + "/" + key;
        patch.add(step("test", place, live.get(key)));
        patch.add(step("replace", place, wanted.get(key)));
      }
    }
  }

  private static ObjectNode step(String operation, String path, JsonNode value) {
    return JSON.createObjectNode().put("op", operation).put("path", path).set("value", value);
  }
}
