package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.status.Types;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The operator against an API server, as a user meets it. */
class OperatorIT {
  private final OperatorHarness operator = new OperatorHarness().start();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void the_minimal_resource_gets_all_its_objects_and_becomes_ready() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    assertThat(operator.children())
        .extracting(HasMetadata::getKind)
        .containsExactlyInAnyOrder("ConfigMap", "Deployment", "Service", "ServiceAccount");
    assertThat(operator.children())
        .allSatisfy(
            child -> {
              assertThat(child.getMetadata().getOwnerReferences().getFirst().getController())
                  .isTrue();
              assertThat(child.getMetadata().getManagedFields().getFirst().getManager())
                  .isEqualTo("ragjourney-operator");
            });
    JsonNode status = operator.status("faq");
    assertThat(status.at("/plan/summary").asText()).isEqualTo("2/2");
    assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
    await()
        .until(
            () -> operator.status("faq").path("endpoint").asText(),
            "http://faq.default.svc"::equals);
    assertThat(status.path("conditions"))
        .extracting(c -> c.path("type").asText())
        .containsExactlyElementsOf(Types.ALL);
    assertThat(operator.journey("faq").getMetadata().getFinalizers()).isEmpty();
  }

  @Test
  void nothing_is_written_when_nothing_changes() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    operator.round();
    operator.awaitCondition("faq", "MetricsAvailable", "False/NoTraffic");
    operator.quiet();
    operator.server.requests().clear();

    for (int i = 0; i < 3; i++) {
      operator.round();
      touchPods();
      operator.quiet();
    }

    assertThat(operator.operatorWrites()).isEmpty();
  }

  @Test
  void a_restart_of_the_operator_and_its_first_round_write_nothing() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    operator.round();
    operator.awaitCondition("faq", "MetricsAvailable", "False/NoTraffic");
    operator.apply(MINIMAL.replace("3s", "4s"));
    await().until(() -> operator.status("faq").path("observedGeneration").asLong() == 2);
    operator.ready("faq");
    operator.quiet();
    operator.server.requests().clear();

    operator.restart();
    await()
        .until(() -> operator.server.requests().matching(e -> e.kind().equals("Pod")).size() > 0);
    operator.quiet();
    operator.round();
    operator.quiet();

    assertThat(operator.operatorWrites()).isEmpty();
  }

  @Test
  void a_field_that_somebody_changes_is_put_right_and_others_are_left_alone() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    operator
        .client
        .services()
        .inNamespace("default")
        .withName("faq")
        .edit(
            s ->
                new ServiceBuilder(s)
                    .editMetadata()
                    .addToAnnotations("team", "search")
                    .endMetadata()
                    .editSpec()
                    .removeFromSelector(Labels.COMPONENT)
                    .addToSelector("app", "x")
                    .endSpec()
                    .build());
    operator
        .client
        .apps()
        .deployments()
        .inNamespace("default")
        .withName("faq")
        .edit(d -> new DeploymentBuilder(d).editSpec().withReplicas(7).endSpec().build());

    await()
        .untilAsserted(
            () -> {
              Service service =
                  operator.client.services().inNamespace("default").withName("faq").get();
              assertThat(service.getSpec().getSelector())
                  .containsEntry(Labels.COMPONENT, "pipeline");
              assertThat(service.getMetadata().getAnnotations()).containsEntry("team", "search");
              assertThat(operator.node.deployment("faq").getSpec().getReplicas()).isEqualTo(2);
            });
    assertThat(operator.events()).contains("DriftCorrected");
  }

  @Test
  void a_deleted_child_comes_back() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    operator.client.services().inNamespace("default").withName("faq").delete();
    operator.client.configMaps().inNamespace("default").withLabel(Labels.JOURNEY, "faq").delete();

    await()
        .untilAsserted(
            () -> {
              assertThat(operator.client.services().inNamespace("default").withName("faq").get())
                  .isNotNull();
              assertThat(operator.plans()).hasSize(1);
            });
    assertThat(operator.node.currentRevision("faq")).isGreaterThan(1);
  }

  @Test
  void an_invalid_edit_says_what_is_wrong_and_leaves_the_last_good_plan_serving() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    String before = operator.plans().getFirst().getData().get("plan.json");

    operator.apply(MINIMAL.replace("3s", "1.5s"));
    operator.awaitCondition("faq", "Ready", "False/InvalidSpec");

    JsonNode ready = operator.condition("faq", "Ready");
    assertThat(ready.path("message").asText())
        .contains("spec.budget.total")
        .contains("1.5s")
        .contains("The plan of generation 1 keeps serving");
    assertThat(ready.path("observedGeneration").asLong()).isEqualTo(2);
    assertThat(operator.condition("faq", "Stalled").path("status").asText()).isEqualTo("True");
    assertThat(operator.plans().getFirst().getData().get("plan.json")).isEqualTo(before);
    assertThat(operator.node.deployment("faq")).isNotNull();
    await().untilAsserted(() -> assertThat(operator.events()).contains("InvalidSpec"));

    operator.apply(MINIMAL);
    operator.awaitCondition("faq", "Ready", "True/Serving");
    assertThat(operator.plans().getFirst().getData().get("plan.json")).isEqualTo(before);
  }

  @Test
  void one_unreadable_journey_does_not_stop_the_others() {
    operator.apply(MINIMAL.replace("name: faq}", "name: odd}").replace("{total: 3s}", "[3s]"));
    operator.awaitCondition("odd", "Ready", "False/Unreadable");
    assertThat(operator.condition("odd", "Ready").path("message").asText()).contains("spec.budget");

    operator.apply(MINIMAL);
    operator.ready("faq");
  }

  @Test
  void a_name_that_somebody_else_has_is_left_alone() {
    operator
        .client
        .resource(
            new ServiceBuilder()
                .withNewMetadata()
                .withName("faq")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", "theirs")
                .endSpec()
                .build())
        .create();

    operator.apply(MINIMAL);
    operator.awaitCondition("faq", "Ready", "False/NameTaken");

    assertThat(operator.condition("faq", "Ready").path("message").asText()).contains("Service faq");
    assertThat(operator.children()).isEmpty();
    assertThat(
            operator
                .client
                .services()
                .inNamespace("default")
                .withName("faq")
                .get()
                .getSpec()
                .getSelector())
        .isEqualTo(Map.of("app", "theirs"));
  }

  @Test
  void what_the_api_server_refuses_is_told_in_its_words_until_it_takes_it() {
    operator.server.refuse("Deployment", 403, "quota of team shop is used up");
    operator.apply(MINIMAL);
    operator.awaitCondition("faq", "Ready", "False/InvalidSpec");
    assertThat(operator.condition("faq", "Ready").path("message").asText())
        .contains("Deployment faq")
        .contains("quota of team shop is used up");

    operator.server.allowAll();
    operator.apply(MINIMAL + "  workload: {replicas: 1}\n");
    operator.ready("faq");
  }

  @Test
  void a_fight_over_a_field_ends_with_an_event_that_names_it() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    for (int i = 7; i < 10; i++) {
      scale(i);
      await().until(() -> operator.node.deployment("faq").getSpec().getReplicas() == 2);
    }
    scale(11);

    await().untilAsserted(() -> assertThat(operator.events()).contains("FieldTakenBack"));
    operator.quiet();
    assertThat(operator.node.deployment("faq").getSpec().getReplicas()).isEqualTo(11);
  }

  @Test
  void deletion_leaves_nothing() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    operator.client.resource(operator.journey("faq")).delete();

    await().untilAsserted(() -> assertThat(operator.children()).isEmpty());
    operator.round();
    operator.quiet();
    assertThat(operator.children()).isEmpty();
  }

  private void scale(int replicas) {
    operator
        .client
        .apps()
        .deployments()
        .inNamespace("default")
        .withName("faq")
        .edit(d -> new DeploymentBuilder(d).editSpec().withReplicas(replicas).endSpec().build());
  }

  private void touchPods() {
    operator
        .client
        .pods()
        .inNamespace("default")
        .list()
        .getItems()
        .forEach(
            pod ->
                operator
                    .client
                    .pods()
                    .inNamespace("default")
                    .withName(pod.getMetadata().getName())
                    .edit(
                        p ->
                            new PodBuilder(p)
                                .editMetadata()
                                .addToAnnotations("touched", Long.toString(System.nanoTime()))
                                .endMetadata()
                                .build()));
  }
}
