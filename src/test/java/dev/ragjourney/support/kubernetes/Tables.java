package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.support.kubernetes.ResourceType.Column;
import java.time.Duration;
import java.time.Instant;

/** The answer to {@code kubectl get}: rows printed by the server. */
final class Tables {
  private Tables() {}

  static ObjectNode of(ResourceType type, JsonNode objectOrList, Instant now) {
    ObjectNode table = JsonNodeFactory.instance.objectNode();
    table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
    table
        .putObject("metadata")
        .put("resourceVersion", objectOrList.path("metadata").path("resourceVersion").asText());
    ArrayNode definitions = table.putArray("columnDefinitions");
    define(definitions, new Column("Name", "string", "", 0));
    type.columns().forEach(column -> define(definitions, column));
    ArrayNode rows = table.putArray("rows");
    Iterable<JsonNode> items =
        objectOrList.has("items") ? objectOrList.get("items") : java.util.List.of(objectOrList);
    for (JsonNode item : items) {
      ObjectNode row = rows.addObject();
      ArrayNode cells = row.putArray("cells");
      cells.add(item.path("metadata").path("name").asText());
      type.columns().forEach(column -> cells.add(cell(column, item, now)));
      row.putObject("object")
          .put("kind", "PartialObjectMetadata")
          .put("apiVersion", "meta.k8s.io/v1")
          .set("metadata", item.path("metadata"));
    }
    return table;
  }

  private static void define(ArrayNode definitions, Column column) {
    definitions
        .addObject()
        .put("name", column.name())
        .put("type", column.type().equals("date") ? "string" : column.type())
        .put("format", column.name().equals("Name") ? "name" : "")
        .put("description", "")
        .put("priority", column.priority());
  }

  private static JsonNode cell(Column column, JsonNode object, Instant now) {
    JsonNode value = JsonPath.first(object, column.jsonPath());
    if (value.isMissingNode() || value.isNull()) {
      return JsonNodeFactory.instance.nullNode();
    }
    if (column.type().equals("date")) {
      return JsonNodeFactory.instance.textNode(age(value.asText(), now));
    }
    return value.isNumber()
        ? value
        : JsonNodeFactory.instance.textNode(
            value.isValueNode() ? value.asText() : value.toString());
  }

  private static String age(String timestamp, Instant now) {
    Duration age = Duration.between(Instant.parse(timestamp), now);
    if (age.toMinutes() < 2) {
      return Math.max(0, age.toSeconds()) + "s";
    }
    if (age.toHours() < 3) {
      return age.toMinutes() + "m";
    }
    return age.toDays() < 2 ? age.toHours() + "h" : age.toDays() + "d";
  }
}
