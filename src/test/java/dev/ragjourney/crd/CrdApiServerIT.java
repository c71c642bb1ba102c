package dev.ragjourney.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.support.kubernetes.RealApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of specs on a real API server, which runs the schema and the CEL rules. */
class CrdApiServerIT {
  private static KubernetesClient client;

  @BeforeAll
  static void install_the_file() throws IOException {
    client = RealApiServer.client();
    CustomResourceDefinition crd =
        client
            .getKubernetesSerialization()
            .unmarshal(Files.readString(Crd.FILE), CustomResourceDefinition.class);
    client.resource(crd).fieldManager("kubectl").forceConflicts().serverSideApply();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                client.resource(crd).get().getStatus().getConditions().stream()
                    .anyMatch(
                        c -> c.getType().equals("Established") && c.getStatus().equals("True")));
  }

  @AfterAll
  static void close() {
    client.close();
  }

  static Stream<SpecCase> taken() {
    return Stream.of(ValidSpecs.all(), UnsupportedSpecs.all(), refusedByReaderOnly())
        .flatMap(List::stream);
  }

  static Stream<SpecCase> refused() {
    return InvalidSpecs.all().stream().filter(SpecCase::refusedByServer);
  }

  static Stream<SpecCase> unknown() {
    return Stream.concat(UnknownFieldSpecs.all().stream(), MisspeltFields.all().stream());
  }

  static Stream<ReorderedSpecs.Row> reordered() {
    return ReorderedSpecs.all().stream();
  }

  private static List<SpecCase> refusedByReaderOnly() {
    return InvalidSpecs.all().stream().filter(row -> !row.refusedByServer()).toList();
  }

  @ParameterizedTest
  @MethodSource("taken")
  void the_server_takes_what_it_cannot_fault(SpecCase row) {
    GenericKubernetesResource created = create(row);
    assertThat(created.getAdditionalProperties().get("spec"))
        .as("stored as written: nothing defaulted, nothing dropped")
        .isEqualTo(Yaml.read(row.spec(), Object.class));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void the_server_refuses_it_where_the_reader_does(SpecCase row) {
    KubernetesClientException refusal = refusal(row);
    assertThat(refusal.getCode()).as(refusal.getMessage()).isEqualTo(422);
    assertThat(refusal.getStatus().getDetails().getCauses())
        .as("a field that holds, or is held by, %s", row.path())
        .extracting(StatusCause::getField)
        .anyMatch(
            field ->
                field.equals("<nil>")
                    || row.path().startsWith(field)
                    || field.startsWith(row.path()));
  }

  @ParameterizedTest
  @MethodSource("unknown")
  void the_server_refuses_a_field_that_does_not_exist(SpecCase row) {
    KubernetesClientException refusal = refusal(row);
    assertThat(refusal.getCode()).isEqualTo(400);
    assertThat(refusal.getMessage()).contains("unknown field \"" + row.path() + "\"");
  }

  @ParameterizedTest
  @MethodSource("reordered")
  void an_update_that_only_changes_the_order_is_judged_like_a_new_spec(ReorderedSpecs.Row row) {
    GenericKubernetesResource stored =
        client.resource(resource("reordered", row.before())).createOr(NonDeletingOperation::update);
    try {
      KubernetesClientException refusal =
          catchThrowableOfType(
              KubernetesClientException.class,
              () -> client.resource(resource("reordered", row.after())).update());
      assertThat(refusal).as("nothing was refused").isNotNull();
      assertThat(refusal.getCode()).as(refusal.getMessage()).isEqualTo(422);
      assertThat(refusal.getStatus().getDetails().getCauses())
          .extracting(StatusCause::getField)
          .anyMatch(field -> field.startsWith(row.path()) || row.path().startsWith(field));
    } finally {
      client.resource(stored).delete();
    }
  }

  @Test
  void kubectl_get_shows_the_columns_in_their_order() throws IOException {
    List<String> columns =
        RealApiServer.columns(client, "/apis/ragjourney.dev/v1alpha1/ragjourneys");
    assertThat(columns)
        .containsExactly(
            "Name",
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

  private static GenericKubernetesResource create(SpecCase row) {
    return client
        .resource(resource(row.journey(), row.spec()))
        .dryRun()
        .fieldValidation(FieldValidateable.Validation.STRICT)
        .create();
  }

  private static GenericKubernetesResource resource(String name, String spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(RagJourney.GROUP + "/" + RagJourney.VERSION)
        .withKind(RagJourney.KIND)
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .withAdditionalProperties(Map.of("spec", Yaml.read(spec, Object.class)))
        .build();
  }

  private static KubernetesClientException refusal(SpecCase row) {
    KubernetesClientException refusal =
        catchThrowableOfType(KubernetesClientException.class, () -> create(row));
    assertThat(refusal).as("nothing was refused").isNotNull();
    return refusal;
  }
}
