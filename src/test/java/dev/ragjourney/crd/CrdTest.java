package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.rebalance.RebalancePolicy;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CrdTest {
  private static final long MAX_BYTES = 200_000;
  private static final CustomResourceDefinition CRD = Crd.generate();
  private static final Map<String, JSONSchemaProps> FIELDS = fields();

  @Test
  void every_field_is_described() {
    assertThat(FIELDS).hasSizeGreaterThan(250);
    assertThat(FIELDS)
        .allSatisfy(
            (path, schema) ->
                assertThat(schema.getDescription()).as(path).isNotBlank().endsWith("."));
  }

  @Test
  void no_field_has_a_default_so_that_the_stored_spec_is_what_the_user_wrote() {
    assertThat(FIELDS).allSatisfy((path, schema) -> assertThat(schema.getDefault()).isNull());
  }

  @Test
  void every_string_list_and_map_of_the_spec_is_bounded() {
    FIELDS.forEach(
        (path, schema) -> {
          if (!path.startsWith("spec.") || isOpaque(schema)) {
            return;
          }
          switch (schema.getType()) {
            case "string" ->
                assertThat(schema.getMaxLength() != null || !schema.getEnum().isEmpty())
                    .as(path)
                    .isTrue();
            case "array" -> assertThat(schema.getMaxItems()).as(path).isNotNull();
            case "integer" -> assertThat(schema.getMaximum()).as(path).isNotNull();
            default -> {
              if (schema.getAdditionalProperties() != null) {
                assertThat(schema.getMaxProperties()).as(path).isNotNull();
              }
            }
          }
        });
  }

  @Test
  void every_list_says_how_it_is_merged() {
    assertThat(FIELDS)
        .allSatisfy(
            (path, schema) ->
                assertThat("array".equals(schema.getType()))
                    .as(path)
                    .isEqualTo(schema.getXKubernetesListType() != null));
    assertThat(FIELDS.get("spec.stages").getXKubernetesListType()).isEqualTo("atomic");
    assertThat(FIELDS.get("spec.fallbackLevels").getXKubernetesListType()).isEqualTo("atomic");
    assertThat(FIELDS.get("spec.backends").getXKubernetesListMapKeys()).containsExactly("name");
    assertThat(FIELDS.get("status.conditions").getXKubernetesListMapKeys()).containsExactly("type");
  }

  @Test
  void the_choices_are_the_labels_of_the_domain() {
    assertChoices("spec.budget.countTo", CountTo.values(), CountTo::label);
    assertChoices("spec.stages.type", StageType.values(), StageType::label);
    assertChoices(
        "spec.rebalance.mode", RebalancePolicy.Mode.values(), RebalancePolicy.Mode::label);
    assertChoices(
        "spec.rebalance.rule", RebalancePolicy.Rule.values(), RebalancePolicy.Rule::label);
    assertChoices(
        "spec.fallbackLevels.answer",
        new AnswerSource[] {AnswerSource.SEMANTIC_CACHE, AnswerSource.STATIC},
        AnswerSource::label);
  }

  @Test
  void the_columns_come_in_the_order_in_which_they_are_read() {
    assertThat(CRD.getSpec().getVersions().getFirst().getAdditionalPrinterColumns())
        .extracting(CustomResourceColumnDefinition::getName)
        .containsExactly(
            "READY",
            "BUDGET",
            "P95",
            "WITHIN",
            "DEGRADED",
            "LEVEL",
            "AGE",
            "PLAN",
            "RULE",
            "ATTAINABLE",
            "MESSAGE");
  }

  @Test
  void the_file_fits_into_an_annotation_of_kubectl_apply() throws IOException {
    assertThat(Files.size(Crd.FILE)).isLessThanOrEqualTo(MAX_BYTES);
  }

  private static boolean isOpaque(JSONSchemaProps schema) {
    return Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields());
  }

  private static <E> void assertChoices(String path, E[] values, Function<E, String> label) {
    assertThat(FIELDS.get(path).getEnum().stream().map(node -> node.asText()).toList())
        .as(path)
        .isEqualTo(Stream.of(values).map(label).toList());
  }

  private static Map<String, JSONSchemaProps> fields() {
    Map<String, JSONSchemaProps> found = new TreeMap<>();
    collect("", CRD.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema(), found);
    return found;
  }

  private static void collect(
      String path, JSONSchemaProps schema, Map<String, JSONSchemaProps> found) {
    Map<String, JSONSchemaProps> properties =
        schema.getItems() == null
            ? schema.getProperties()
            : schema.getItems().getSchema().getProperties();
    if (properties == null) {
      return;
    }
    properties.forEach(
        (name, property) -> {
          String field = path.isEmpty() ? name : path + "." + name;
          found.put(field, property);
          collect(field, property, found);
        });
  }
}
