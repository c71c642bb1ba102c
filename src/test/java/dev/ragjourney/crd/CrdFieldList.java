package dev.ragjourney.crd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A CRD as one line a field: its path and everything that the schema demands of it. {@code []}
 * stands for the elements of a list, {@code {}} for the values of a map.
 */
final class CrdFieldList {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** Keywords that demand nothing, and those that become lines of their own. */
  private static final Set<String> LEFT_OUT =
      Set.of("description", "properties", "items", "additionalProperties", "required");

  private CrdFieldList() {}

  static SortedMap<String, ObjectNode> of(JsonNode crd) {
    SortedMap<String, ObjectNode> fields = new TreeMap<>();
    JsonNode spec = crd.path("spec");
    fields.put(
        "(crd)",
        JSON.createObjectNode()
            .put("group", spec.path("group").asText())
            .put("scope", spec.path("scope").asText())
            .set("names", spec.path("names")));
    for (JsonNode version : spec.path("versions")) {
      ObjectNode facts = JSON.createObjectNode();
      facts.set("served", version.path("served"));
      facts.set("subresources", version.path("subresources"));
      String name = "(" + version.path("name").asText() + ")";
      fields.put(name, facts);
      collect(name, version.at("/schema/openAPIV3Schema"), false, fields);
    }
    return fields;
  }

  private static void collect(
      String path, JsonNode schema, boolean required, Map<String, ObjectNode> fields) {
    ObjectNode facts = fields.computeIfAbsent(path, p -> JSON.createObjectNode());
    if (required) {
      facts.put("required", true);
    }
    for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
      if (keyword.getKey().equals("x-kubernetes-validations")) {
        keyword
            .getValue()
            .forEach(rule -> facts.withArray("rules").add(rule.path("rule").asText()));
      } else if (!LEFT_OUT.contains(keyword.getKey())) {
        facts.set(keyword.getKey(), keyword.getValue());
      }
    }
    Set<String> needed = new TreeSet<>();
    schema.path("required").forEach(name -> needed.add(name.asText()));
    schema
        .path("properties")
        .properties()
        .forEach(
            field ->
                collect(
                    path + "." + field.getKey(),
                    field.getValue(),
                    needed.contains(field.getKey()),
                    fields));
    if (schema.has("items")) {
      collect(path + "[]", schema.get("items"), false, fields);
    }
    if (schema.path("additionalProperties").isObject()) {
      collect(path + "{}", schema.get("additionalProperties"), false, fields);
    }
  }

  static String write(SortedMap<String, ObjectNode> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + " " + field.getValue() + "\n")
        .collect(Collectors.joining());
  }

  static SortedMap<String, ObjectNode> read(String text) {
    SortedMap<String, ObjectNode> fields = new TreeMap<>();
    text.lines()
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              try {
                fields.put(
                    line.substring(0, space),
                    (ObjectNode) JSON.readTree(line.substring(space + 1)));
              } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
              }
            });
    return fields;
  }
}
