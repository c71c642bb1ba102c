package dev.ragjourney.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.status.RagJourneyStatus;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The fields of the resource, as paths like {@code spec.stages.cap}: those that this program knows
 * and those that a cluster serves. An older CRD lacks some; its server refuses a status that has
 * one.
 */
public final class ResourceFields {
  private ResourceFields() {}

  /** Every field of spec and status. */
  public static SortedSet<String> known() {
    SortedSet<String> fields = new TreeSet<>();
    collect("spec", RagJourneySpec.class, fields);
    collect("status", RagJourneyStatus.class, fields);
    return fields;
  }

  private static void collect(String path, Type type, Set<String> fields) {
    fields.add(path);
    if (type instanceof ParameterizedType parameters) {
      Type[] arguments = parameters.getActualTypeArguments();
      Type element = arguments[arguments.length - 1];
      if (element instanceof Class<?> record && record.isRecord()) {
        collect(path, element, fields);
      }
    } else if (type instanceof Class<?> record && record.isRecord()) {
      for (RecordComponent component : record.getRecordComponents()) {
        collect(path + "." + component.getName(), component.getGenericType(), fields);
      }
    }
  }

  /**
   * The known fields that a server lacks; of a part that it lacks as a whole only that part.
   *
   * @param openApi the document at {@code /openapi/v3/apis/ragjourney.dev/v1alpha1}
   */
  public static SortedSet<String> missing(JsonNode openApi) {
    SortedSet<String> missing = new TreeSet<>();
    for (Map.Entry<String, JsonNode> schema :
        openApi.path("components").path("schemas").properties()) {
      if (schema.getKey().endsWith("." + RagJourney.VERSION + "." + RagJourney.KIND)) {
        SortedSet<String> served = new TreeSet<>();
        SortedSet<String> open = new TreeSet<>();
        serve("", schema.getValue(), served, open);
        for (String field : known()) {
          boolean within = within(field, missing) || within(field, open);
          if (!served.contains(field) && !within) {
            missing.add(field);
          }
        }
      }
    }
    return missing;
  }

  private static void serve(String path, JsonNode schema, Set<String> served, Set<String> open) {
    served.add(path);
    if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      open.add(path);
    }
    if (schema.has("items")) {
      serve(path, schema.get("items"), served, open);
    }
    if (schema.path("additionalProperties").isObject()) {
      serve(path, schema.get("additionalProperties"), served, open);
    }
    schema
        .path("properties")
        .properties()
        .forEach(
            field ->
                serve(
                    path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                    field.getValue(),
                    served,
                    open));
  }

  private static boolean within(String field, Set<String> parts) {
    return parts.stream().anyMatch(part -> field.startsWith(part + "."));
  }

  /**
   * Takes fields out.
   *
   * @param path of the part, like {@code status}
   * @param part changed in place
   */
  public static void remove(String path, JsonNode part, Set<String> fields) {
    if (part.isArray()) {
      part.forEach(element -> remove(path, element, fields));
    } else if (part instanceof ObjectNode object) {
      object.properties().removeIf(field -> fields.contains(path + "." + field.getKey()));
      object
          .properties()
          .forEach(field -> remove(path + "." + field.getKey(), field.getValue(), fields));
    }
  }
}
