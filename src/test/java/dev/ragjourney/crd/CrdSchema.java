package dev.ragjourney.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** The schema of the file in {@code crds/}, strict: a field that it does not name is an error. */
final class CrdSchema {
  private static final JsonSchema SCHEMA = load();

  private CrdSchema() {}

  static List<String> complaints(JsonNode resource) {
    return SCHEMA.validate(resource).stream().map(ValidationMessage::getMessage).toList();
  }

  private static JsonSchema load() {
    try {
      JsonNode crd = Yaml.MAPPER.readTree(Crd.FILE.toFile());
      ObjectNode root = (ObjectNode) crd.at("/spec/versions/0/schema/openAPIV3Schema");
      close(root);
      ObjectNode properties = (ObjectNode) root.get("properties");
      properties.putObject("apiVersion").put("const", "ragjourney.dev/v1alpha1");
      properties.putObject("kind").put("const", "RagJourney");
      properties.putObject("metadata").put("type", "object");
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(root);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  /**
   * Forbids what is not named; takes out Kubernetes' own keywords, which the validator warns of.
   */
  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object
        && object.path("type").asText().equals("object")
        && !object.has("additionalProperties")
        && !object.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      object.put("additionalProperties", false);
    }
    if (schema instanceof ObjectNode object) {
      object.properties().stream()
          .map(Map.Entry::getKey)
          .filter(key -> key.startsWith("x-kubernetes-"))
          .toList()
          .forEach(object::remove);
    }
    schema.forEach(CrdSchema::close);
  }
}
