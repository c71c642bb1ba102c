package dev.ragjourney.crd;

import dev.ragjourney.budget.Finding;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reference of the resource: text by hand, tables from the schema. A table stands between
 * {@code <!-- fields PATH… -->} and {@code <!-- end -->}; several paths share it where their fields
 * are the same. References to other objects are so small that they need none.
 */
final class ResourcePage {
  static final Path FILE = Path.of("src", "site", "markdown", "resource.md");

  private static final Pattern TABLE =
      Pattern.compile("<!-- fields ([^>]+) -->\n.*?<!-- end -->", Pattern.DOTALL);

  private static final Pattern UNSUPPORTED =
      Pattern.compile("<!-- unsupported -->\n.*?<!-- end -->", Pattern.DOTALL);

  /** What a field of such an object takes, by its fields. */
  private static final Map<Set<String>, String> REFERENCES =
      Map.of(
          Set.of("name", "key"), "`{name, key}`",
          Set.of("secretKeyRef"), "`secretKeyRef: {name, key}`",
          Set.of("configMapKeyRef"), "`configMapKeyRef: {name, key}`",
          Set.of("name"), "`{name}`",
          Set.of("claimName"), "`{claimName}`");

  private final Map<String, JSONSchemaProps> objects = new LinkedHashMap<>();

  ResourcePage(CustomResourceDefinition crd) {
    Map<String, JSONSchemaProps> root =
        crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema().getProperties();
    collect("spec", root.get("spec"));
    collect("status", root.get("status"));
  }

  /** Every object that has fields, by its path; entries of a list are {@code PATH[]}. */
  List<String> paths() {
    return List.copyOf(objects.keySet());
  }

  static List<String> pathsIn(String page) {
    return TABLE
        .matcher(page)
        .results()
        .flatMap(result -> Stream.of(result.group(1).split(" ")))
        .toList();
  }

  /** The page with every table as the schema has it. */
  String fill(String page) {
    String tables =
        TABLE
            .matcher(page)
            .replaceAll(
                result ->
                    Matcher.quoteReplacement(
                        "<!-- fields %s -->\n\n%s\n<!-- end -->"
                            .formatted(
                                result.group(1), table(List.of(result.group(1).split(" "))))));
    return UNSUPPORTED
        .matcher(tables)
        .replaceAll(
            Matcher.quoteReplacement(
                "<!-- unsupported -->\n\n" + unsupported() + "\n<!-- end -->"));
  }

  private String table(List<String> paths) {
    List<String> tables =
        paths.stream()
            .map(path -> objects.containsKey(path) ? table(path, objects.get(path)) : "none")
            .distinct()
            .toList();
    return tables.size() == 1 ? tables.getFirst() : "The tables differ.\n";
  }

  /** As the reader says it of each row of the table of specs. */
  private static String unsupported() {
    return UnsupportedSpecs.all().stream()
        .flatMap(row -> SpecReaderTest.findings(row).stream())
        .map(Finding::message)
        .map(message -> message.substring(0, message.indexOf(" is not acted on")))
        .map(field -> "- `" + field.replaceAll("\\[[0-9]+]", "[]") + "`\n")
        .distinct()
        .collect(Collectors.joining());
  }

  private void collect(String path, JSONSchemaProps schema) {
    if (schema.getItems() != null) {
      collect(path + "[]", schema.getItems().getSchema());
    } else if (!isReference(schema)
        && schema.getProperties() != null
        && !schema.getProperties().isEmpty()) {
      objects.put(path, schema);
      schema.getProperties().forEach((name, field) -> collect(path + "." + name, field));
    }
  }

  private String table(String path, JSONSchemaProps object) {
    boolean spec = path.startsWith("spec");
    return "| field | value | meaning |\n|---|---|---|\n"
        + object.getProperties().entrySet().stream()
            .map(
                field ->
                    "| `%s`%s | %s | %s |\n"
                        .formatted(
                            field.getKey(),
                            object.getRequired().contains(field.getKey()) ? " *" : "",
                            value(field.getValue(), spec),
                            field.getValue().getDescription()))
            .collect(Collectors.joining());
  }

  private static String value(JSONSchemaProps field, boolean bounds) {
    if (Boolean.TRUE.equals(field.getXKubernetesPreserveUnknownFields())) {
      return "as in a Pod";
    }
    return switch (field.getType()) {
      case "array" ->
          "list of "
              + value(field.getItems().getSchema(), bounds)
              + (field.getMaxItems() == null ? "" : ", at most " + field.getMaxItems());
      case "object" ->
          isReference(field)
              ? REFERENCES.get(field.getProperties().keySet())
              : field.getAdditionalProperties() == null ? "object" : "map";
      case "integer" ->
          field.getMinimum() == null
              ? "integer"
              : "integer, %d to %d"
                  .formatted(field.getMinimum().longValue(), field.getMaximum().longValue());
      case "string" -> text(field, bounds);
      default -> field.getType();
    };
  }

  private static boolean isReference(JSONSchemaProps schema) {
    return schema.getProperties() != null
        && REFERENCES.containsKey(schema.getProperties().keySet());
  }

  private static String text(JSONSchemaProps field, boolean bounds) {
    if (field.getEnum() != null && !field.getEnum().isEmpty()) {
      return field.getEnum().stream()
          .map(choice -> "`" + choice.asText() + "`")
          .collect(Collectors.joining(", "));
    }
    if ("date-time".equals(field.getFormat())) {
      return "time";
    }
    if (field.getPattern() == null) {
      return bounds && field.getMaxLength() != null
          ? "text, at most " + field.getMaxLength()
          : "text";
    }
    return Spelling.of(field.getPattern());
  }
}
