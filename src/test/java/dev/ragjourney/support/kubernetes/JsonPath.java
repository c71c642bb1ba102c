package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of JSONPath that printer columns use: fields, indexes and one equality filter, like
 * {@code .status.conditions[?(@.type=="Ready")].status}.
 */
final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.([A-Za-z0-9_-]+)"
              + "|\\['([^']+)'\\]"
              + "|\\[(\\d+)\\]"
              + "|\\[\\?\\(\\s*@\\.(\\w+)\\s*==\\s*[\"']([^\"']*)[\"']\\s*\\)\\]");

  private JsonPath() {}

  /** The first value; a missing node where there is none. */
  static JsonNode first(JsonNode object, String path) {
    Matcher step = STEP.matcher(path);
    JsonNode at = object;
    int end = 0;
    while (step.find() && step.start() == end) {
      end = step.end();
      if (step.group(1) != null) {
        at = at.path(step.group(1));
      } else if (step.group(2) != null) {
        at = at.path(step.group(2));
      } else if (step.group(3) != null) {
        at = at.path(Integer.parseInt(step.group(3)));
      } else {
        at = matching(at, step.group(4), step.group(5));
      }
    }
    if (end != path.length()) {
      throw new IllegalArgumentException("cannot read the JSON path " + path);
    }
    return at;
  }

  private static JsonNode matching(JsonNode list, String field, String value) {
    for (JsonNode element : list) {
      if (element.path(field).asText().equals(value)) {
        return element;
      }
    }
    return MissingNode.getInstance();
  }
}
