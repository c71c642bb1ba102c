package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.ragjourney.crd.spec.RagJourneySpec;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The records as the Kubernetes client reads and writes them. */
class RecordsTest {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  static Stream<SpecCase> valid() {
    return ValidSpecs.all().stream();
  }

  static List<Class<?>> records() {
    return new ClassFileImporter()
        .importPackages("dev.ragjourney.crd.spec", "dev.ragjourney.crd.status").stream()
            .<Class<?>>map(type -> type.reflect())
            .filter(Class::isRecord)
            .toList();
  }

  @ParameterizedTest
  @MethodSource("valid")
  void a_spec_is_written_as_it_was_read(SpecCase row) {
    RagJourneySpec spec = Yaml.read(row.spec(), RagJourneySpec.class);
    JsonNode written = SERIALIZATION.convertValue(spec, JsonNode.class);
    assertThat(written).isEqualTo(Yaml.read(row.spec(), JsonNode.class));
  }

  @Test
  void every_record_is_seen() {
    assertThat(records()).hasSizeGreaterThan(55).contains(RagJourneySpec.class, Condition.class);
  }

  @ParameterizedTest
  @MethodSource("records")
  void a_field_of_a_newer_version_is_passed_over(Class<?> type) {
    Object read = SERIALIZATION.unmarshal("{\"fieldOfANewerVersion\": {\"a\": 1}}", type);
    assertThat(read).isNotNull();
    assertThat(SERIALIZATION.asJson(read)).as("nulls are left out").isEqualTo("{}");
  }

  @Test
  void a_whole_resource_is_read_by_the_client() {
    RagJourney journey =
        SERIALIZATION.unmarshal(
            """
            apiVersion: ragjourney.dev/v1alpha1
            kind: RagJourney
            metadata: {name: faq, namespace: support, generation: 3}
            spec: {budget: {total: 3s}, enforcement: SomethingNew}
            status:
              observedGeneration: 2
              conditions:
              - {type: Ready, status: "True", reason: Served, message: ok, lastTransitionTime: "2026-01-01T00:00:00Z"}
            """,
            RagJourney.class);
    assertThat(journey.getSpec().enforcement()).isEqualTo("SomethingNew");
    RagJourneyStatus status = journey.getStatus();
    assertThat(status.observedGeneration()).isEqualTo(2);
    assertThat(status.conditions())
        .containsExactly(
            new Condition("Ready", "True", "Served", "ok", "2026-01-01T00:00:00Z", null));
  }
}
