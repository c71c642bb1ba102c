package dev.ragjourney.chart;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The chart's values beside their schema. */
final class ValuesTable {
  private static final String HEAD = "| value | default | what it is |\n|---|---|---|\n";

  /** A parent chart's, which this one does not read. */
  private static final String GLOBAL = "global";

  private ValuesTable() {}

  /** What is wrong, a line each. */
  static void compare(String path, JsonNode values, JsonNode schema, List<String> wrong) {
    if (schema.path("additionalProperties").asBoolean(true)) {
      wrong.add(path + " takes any name");
    }
    JsonNode known = schema.path("properties");
    for (Map.Entry<String, JsonNode> value : values.properties()) {
      String name = path + value.getKey();
      JsonNode type = known.path(value.getKey());
      if (type.path("type").asText().isEmpty() || type.path("description").asText().isEmpty()) {
        wrong.add(name + " has no type or no description");
      } else if (type.has("properties")) {
        compare(name + ".", value.getValue(), type, wrong);
      }
    }
    known
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!values.has(name) && !name.equals(GLOBAL)) {
                wrong.add(path + name + " has no default");
              }
            });
  }

  static String markdown() throws IOException {
    StringBuilder table = new StringBuilder(HEAD);
    rows(
        table,
        "",
        HelmChart.YAML.readTree(HelmChart.FOLDER.resolve("values.yaml").toFile()),
        Expressions.read(HelmChart.FOLDER.resolve("values.schema.json")));
    return table.toString();
  }

  private static void rows(StringBuilder table, String path, JsonNode values, JsonNode schema) {
    for (Map.Entry<String, JsonNode> value : values.properties()) {
      JsonNode type = schema.path("properties").path(value.getKey());
      String name = path + value.getKey();
      if (type.has("properties")) {
        rows(table, name + ".", value.getValue(), type);
      } else {
        table.append(
            "| `%s` | `%s` | %s |%n"
                .formatted(
                    name,
                    value.getValue().toString().replace("|", "\\|"),
                    type.path("description").asText().replace("|", "\\|")));
      }
    }
  }

  /** The text with its table replaced. */
  static String replaced(String readme, String table) {
    int start = readme.indexOf(HEAD);
    int end = start;
    while (end < readme.length() && readme.startsWith("|", end)) {
      end = readme.indexOf('\n', end) + 1;
    }
    return readme.substring(0, start) + table + readme.substring(end);
  }
}
