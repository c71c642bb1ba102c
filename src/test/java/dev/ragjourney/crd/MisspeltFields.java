package dev.ragjourney.crd;

import static dev.ragjourney.crd.SpecCase.refused;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** For every field of the schema a spec in which its name has a letter too much. */
final class MisspeltFields {
  private MisspeltFields() {}

  static List<SpecCase> all() {
    try {
      List<SpecCase> rows = new ArrayList<>();
      JsonNode spec =
          Yaml.MAPPER
              .readTree(Crd.FILE.toFile())
              .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
      collect("spec", spec, inner -> inner, rows);
      return rows;
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  /**
   * @param around puts a value where the schema is
   */
  private static void collect(
      String path, JsonNode schema, UnaryOperator<JsonNode> around, List<SpecCase> rows) {
    if (schema.has("items")) {
      collect(
          path + "[0]",
          schema.get("items"),
          inner -> around.apply(JsonNodeFactory.instance.arrayNode().add(inner)),
          rows);
    }
    schema
        .path("properties")
        .properties()
        .forEach(
            field -> {
              String wrong = field.getKey() + "x";
              rows.add(
                  refused(
                      path + "." + wrong + " is refused",
                      around.apply(object(wrong, JsonNodeFactory.instance.objectNode())).toString(),
                      path + "." + wrong,
                      "UnknownField"));
              collect(
                  path + "." + field.getKey(),
                  field.getValue(),
                  inner -> around.apply(object(field.getKey(), inner)),
                  rows);
            });
  }

  private static ObjectNode object(String field, JsonNode value) {
    return JsonNodeFactory.instance.objectNode().set(field, value);
  }
}
