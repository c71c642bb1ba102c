package dev.ragjourney.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.ragjourney.crd.spec.HttpUrl;
import dev.ragjourney.crd.spec.NotZero;
import dev.ragjourney.crd.spec.OneOf;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.spec.Shape;
import dev.ragjourney.crd.status.RagJourneyStatus;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the generator leaves out: list types, spellings that only our annotations know, order. */
final class CrdFinish {
  /** Lists whose entries are known by a key. All others are replaced as a whole. */
  private static final Map<String, String> MAP_KEYS =
      Map.of(
          "spec.backends", "name",
          "spec.backends.headers", "name",
          "spec.fallbackLevels.stages", "name",
          "spec.workload.imagePullSecrets", "name",
          "status.conditions", "type",
          "status.stages", "name");

  private static final List<String> SETS = List.of("spec.fallbackLevels.skip");
  private static final List<String> TIMES =
      List.of(
          "status.conditions.lastTransitionTime",
          "status.rebalance.lastMove",
          "status.rebalance.history.time",
          "status.rungs.lastWorked");

  private CrdFinish() {}

  static CustomResourceDefinition finish(CustomResourceDefinition crd) {
    CustomResourceDefinitionVersion version = crd.getSpec().getVersions().getFirst();
    orderColumns(version.getAdditionalPrinterColumns());
    JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
    root.setDescription("A RAG pipeline under one latency budget.");
    root.setRequired(List.of("spec"));
    Map<String, JSONSchemaProps> properties = root.getProperties();
    properties
        .get("spec")
        .setDescription(
            "What a journey is. Durations are whole numbers with the units h, m, s and ms, like 1s500ms; shares are percentages, like 5%.");
    properties.get("status").setDescription("What the operator reports.");
    finish("spec", RagJourneySpec.class, properties.get("spec"));
    finish("status", RagJourneyStatus.class, properties.get("status"));
    return crd;
  }

  private static void orderColumns(List<CustomResourceColumnDefinition> columns) {
    List<String> order =
        Arrays.stream(RagJourney.class.getAnnotationsByType(AdditionalPrinterColumn.class))
            .map(AdditionalPrinterColumn::name)
            .toList();
    columns.sort(Comparator.comparingInt(column -> order.indexOf(column.getName())));
  }

  private static void finish(String path, Class<?> type, JSONSchemaProps schema) {
    Map<String, JSONSchemaProps> ordered = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String field = path + "." + component.getName();
      JSONSchemaProps property =
          finish(
              field,
              component.getAnnotatedType(),
              component.getAccessor(),
              schema.getProperties().get(component.getName()));
      ordered.put(component.getName(), property);
    }
    schema.setProperties(ordered.isEmpty() ? null : ordered);
  }

  private static JSONSchemaProps finish(
      String path, AnnotatedType type, AnnotatedElement field, JSONSchemaProps schema) {
    // The generator finds a component's rule on the record's field and on its accessor.
    schema.setXKubernetesValidations(
        schema.getXKubernetesValidations().stream().distinct().toList());
    Class<?> raw = raw(type.getType());
    if (raw.isRecord()) {
      finish(path, raw, schema);
    } else if (raw == List.class) {
      AnnotatedType items = argument(type, 0);
      schema.getItems().setSchema(finish(path, items, items, schema.getItems().getSchema()));
      listType(path, schema);
    } else if (raw == Map.class && argument(type, 1).getType() == Object.class) {
      return new JSONSchemaPropsBuilder()
          .withType("object")
          .withDescription(schema.getDescription())
          .withXKubernetesPreserveUnknownFields(true)
          .build();
    } else if (raw == Map.class) {
      schema.getAdditionalProperties().getSchema().setMaxLength(1024L);
    } else if (raw == String.class) {
      text(path, field, schema);
    }
    return schema;
  }

  private static void text(String path, AnnotatedElement field, JSONSchemaProps schema) {
    OneOf oneOf = field.getAnnotation(OneOf.class);
    if (oneOf != null) {
      schema.setEnum(Arrays.stream(oneOf.value()).<JsonNode>map(TextNode::valueOf).toList());
    }
    Pattern pattern = field.getAnnotation(Pattern.class);
    if (pattern != null) {
      schema.setPattern(pattern.value());
      switch (pattern.value()) {
        case Shape.DURATION -> schema.setMaxLength((long) Shape.DURATION_LENGTH);
        case Shape.SHARE, Shape.GROWTH -> schema.setMaxLength(9L);
        case Shape.NAME -> schema.setMaxLength((long) Shape.NAME_LENGTH);
        case Shape.HEADER -> schema.setMaxLength(64L);
        case Shape.TEMPERATURE -> schema.setMaxLength(4L);
        default -> {}
      }
    }
    if (field.isAnnotationPresent(NotZero.class)) {
      rule(schema, "duration(self) > duration('0s')", "must be longer than 0s");
    }
    if (field.isAnnotationPresent(HttpUrl.class)) {
      rule(
          schema,
          "isURL(self) && url(self).getScheme() in ['http', 'https'] && url(self).getHost() != ''"
              + " && !self.matches('^[a-z]+://[^/?#]*@')",
          "must be an http or https address with a host, without user or password");
    }
    if (TIMES.contains(path)) {
      schema.setFormat("date-time");
    }
  }

  private static void rule(JSONSchemaProps schema, String rule, String message) {
    List<ValidationRule> rules = new ArrayList<>(schema.getXKubernetesValidations());
    rules.add(new ValidationRuleBuilder().withRule(rule).withMessage(message).build());
    schema.setXKubernetesValidations(rules);
  }

  private static void listType(String path, JSONSchemaProps schema) {
    String key = MAP_KEYS.get(path);
    if (key != null) {
      schema.setXKubernetesListType("map");
      schema.setXKubernetesListMapKeys(List.of(key));
    } else {
      schema.setXKubernetesListType(SETS.contains(path) ? "set" : "atomic");
    }
  }

  private static AnnotatedType argument(AnnotatedType type, int index) {
    return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
  }

  private static Class<?> raw(Type type) {
    return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
  }
}
