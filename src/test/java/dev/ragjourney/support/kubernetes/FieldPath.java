package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A field's place in an object, the way field ownership counts it: field names, and for lists that
 * are maps by a key (containers by name, conditions by type …) the key of the element. Every other
 * list is one value.
 */
record FieldPath(List<String> steps) {
  private static final Map<String, List<String>> LIST_KEYS =
      Map.ofEntries(
          Map.entry("containers", List.of("name")),
          Map.entry("initContainers", List.of("name")),
          Map.entry("volumes", List.of("name")),
          Map.entry("env", List.of("name")),
          Map.entry("imagePullSecrets", List.of("name")),
          Map.entry("backends", List.of("name")),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("conditions", List.of("type")),
          Map.entry("ownerReferences", List.of("uid")),
          Map.entry("ports", List.of("containerPort", "port")));

  FieldPath {
    steps = List.copyOf(steps);
  }

  /** Every leaf of the object with its value; objects and map-like lists are walked into. */
  static Map<FieldPath, JsonNode> leaves(JsonNode object) {
    Map<FieldPath, JsonNode> leaves = new LinkedHashMap<>();
    collect(object, "", List.of(), leaves);
    return leaves;
  }

  private static void collect(
      JsonNode node, String field, List<String> at, Map<FieldPath, JsonNode> into) {
    if (node.isObject() && !node.isEmpty()) {
      node.properties().forEach(e -> collect(e.getValue(), e.getKey(), with(at, e.getKey()), into));
      return;
    }
    Optional<String> key = listKey(field, node);
    if (key.isPresent()) {
      for (JsonNode element : node) {
        List<String> place = with(at, step(key.get(), element));
        collect(element, "", place, into);
      }
      return;
    }
    into.put(new FieldPath(at), node);
  }

  /** The field by which a list is a map; empty for a list that is one value, and for no list. */
  static Optional<String> listKey(String field, JsonNode node) {
    if (!node.isArray() || node.isEmpty()) {
      return Optional.empty();
    }
    for (String key : LIST_KEYS.getOrDefault(field, List.of())) {
      boolean everywhere = true;
      for (JsonNode element : node) {
        everywhere &= element.hasNonNull(key);
      }
      if (everywhere) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  static @Nullable ObjectNode element(ArrayNode list, String key, JsonNode value) {
    for (JsonNode element : list) {
      if (element instanceof ObjectNode object && value.equals(object.get(key))) {
        return object;
      }
    }
    return null;
  }

  /** Whether it is the field by which an element is found in its list. */
  boolean isKey() {
    int last = steps.size() - 1;
    return last > 0 && steps.get(last - 1).startsWith("[" + steps.get(last) + "=");
  }

  boolean isPrefixOf(FieldPath other) {
    return other.steps.size() >= steps.size() && other.steps.subList(0, steps.size()).equals(steps);
  }

  /** Takes the field out, and what becomes empty above it. */
  void removeFrom(ObjectNode root) {
    remove(root, 0);
  }

  /** Adds the field as {@code fieldsV1} spells it. */
  void addTo(ObjectNode fields) {
    ObjectNode at = fields;
    for (String step : steps) {
      int split = step.indexOf('=');
      String name =
          step.startsWith("[") && split > 0
              ? "k:{\"" + step.substring(1, split) + "\":" + step.substring(split + 1) + "}"
              : "f:" + step;
      at = at.withObject("/" + name.replace("~", "~0").replace("/", "~1"));
    }
  }

  private boolean remove(JsonNode node, int depth) {
    String step = steps.get(depth);
    boolean last = depth == steps.size() - 1;
    if (node instanceof ArrayNode list) {
      for (int i = 0; i < list.size(); i++) {
        if (matches(step, list.get(i))) {
          if (last || remove(list.get(i), depth + 1)) {
            list.remove(i);
          }
          break;
        }
      }
      return list.isEmpty();
    }
    if (node instanceof ObjectNode object) {
      JsonNode child = object.get(step);
      if (child != null && (last || remove(child, depth + 1))) {
        object.remove(step);
      }
      return object.isEmpty();
    }
    return false;
  }

  private static boolean matches(String step, JsonNode element) {
    int split = step.indexOf('=');
    return split > 0
        && element.path(step.substring(1, split)).toString().equals(step.substring(split + 1));
  }

  private static String step(String key, JsonNode element) {
    return "[" + key + "=" + element.get(key);
  }

  private static List<String> with(List<String> at, String step) {
    List<String> longer = new ArrayList<>(at);
    longer.add(step);
    return longer;
  }

  @Override
  public String toString() {
    return "." + String.join(".", steps);
  }
}
