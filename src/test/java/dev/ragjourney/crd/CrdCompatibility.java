package dev.ragjourney.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What a changed CRD takes away from those who use the former one: fields that are gone, and
 * demands that a stored object or a manifest may not meet. Fields and choices may be added, bounds
 * widened, rules dropped.
 */
final class CrdCompatibility {
  private static final Set<String> LOWER =
      Set.of("minimum", "minLength", "minItems", "minProperties");
  private static final Set<String> UPPER =
      Set.of("maximum", "maxLength", "maxItems", "maxProperties");

  /** Without them more is allowed than with them. */
  private static final Set<String> DEMANDS = Set.of("format", "pattern", "rules", "enum");

  private CrdCompatibility() {}

  /** Each with the field's path. */
  static List<String> breaks(
      SortedMap<String, ObjectNode> before, SortedMap<String, ObjectNode> now) {
    List<String> breaks = new ArrayList<>();
    before.forEach(
        (path, facts) -> {
          ObjectNode is = now.get(path);
          if (is != null) {
            compare(path, facts, is, breaks);
          } else if (now.containsKey(parent(path)) || parent(path).isEmpty()) {
            breaks.add(path + ": is gone");
          }
        });
    now.forEach(
        (path, facts) -> {
          if (!before.containsKey(path)
              && before.containsKey(parent(path))
              && facts.path("required").asBoolean()) {
            breaks.add(path + ": is new and required");
          }
        });
    return breaks;
  }

  private static String parent(String path) {
    if (path.endsWith("[]") || path.endsWith("{}")) {
      return path.substring(0, path.length() - 2);
    }
    return path.contains(".") ? path.substring(0, path.lastIndexOf('.')) : "";
  }

  private static void compare(String path, ObjectNode before, ObjectNode now, List<String> breaks) {
    Set<String> keywords = new TreeSet<>();
    before.fieldNames().forEachRemaining(keywords::add);
    now.fieldNames().forEachRemaining(keywords::add);
    for (String keyword : keywords) {
      JsonNode was = before.path(keyword);
      JsonNode is = now.path(keyword);
      if (!was.equals(is) && narrower(keyword, was, is)) {
        breaks.add("%s: %s is %s, was %s".formatted(path, keyword, text(is), text(was)));
      }
    }
  }

  private static boolean narrower(String keyword, JsonNode was, JsonNode is) {
    boolean dropped = is instanceof MissingNode;
    boolean added = was instanceof MissingNode;
    if (LOWER.contains(keyword)) {
      return !dropped && (added || is.decimalValue().compareTo(was.decimalValue()) > 0);
    }
    if (UPPER.contains(keyword)) {
      return !dropped && (added || is.decimalValue().compareTo(was.decimalValue()) < 0);
    }
    if (DEMANDS.contains(keyword) && dropped) {
      return false;
    }
    return switch (keyword) {
      case "required" -> is.asBoolean();
      case "enum" -> added || !elements(is).containsAll(elements(was));
      case "rules" -> !elements(was).containsAll(elements(is));
      case "nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string" ->
          was.asBoolean();
      case "served" -> was.asBoolean();
      default -> true;
    };
  }

  private static Set<String> elements(JsonNode list) {
    Set<String> elements = new TreeSet<>();
    list.forEach(element -> elements.add(element.asText()));
    return elements;
  }

  private static String text(JsonNode node) {
    return node instanceof MissingNode ? "not said" : node.toString();
  }
}
