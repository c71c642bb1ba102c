package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.status.Types;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.support.kubernetes.RequestLog;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The operator against an API server, as a user meets it. */
class OperatorIT {
  private static final String MINIMAL =
      """
      apiVersion: ragjourney.dev/v1alpha1
      kind: RagJourney
      metadata: {name: faq}
      spec:
        budget: {total: 3s}
        documents: {configMap: {name: faq-documents}}
      """;

  private final OperatorHarness operator = new OperatorHarness().start();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void the_minimal_resource_gets_all_its_objects_and_becomes_ready() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    assertThat(children())
        .extracting(HasMetadata::getKind)
        .containsExactlyInAnyOrder("ConfigMap", "Deployment", "Service", "ServiceAccount");
    assertThat(children())
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
    quiet();
    operator.server.requests().clear();

    for (int i = 0; i < 3; i++) {
      operator.round();
      touchPods();
      quiet();
    }

    assertThat(operatorWrites()).isEmpty();
  }

  @Test
  void a_restart_of_the_operator_writes_nothing() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    quiet();
    operator.server.requests().clear();

    operator.restart();
    await()
        .until(() -> operator.server.requests().matching(e -> e.kind().equals("Pod")).size() > 0);
    quiet();

    assertThat(operatorWrites()).isEmpty();
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
    assertThat(events()).contains("DriftCorrected");
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
              assertThat(plans()).hasSize(1);
            });
    assertThat(operator.node.currentRevision("faq")).isGreaterThan(1);
  }

  @Test
  void an_invalid_edit_says_what_is_wrong_and_leaves_the_last_good_plan_serving() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    String before = plans().getFirst().getData().get("plan.json");

    operator.apply(MINIMAL.replace("3s", "1.5s"));
    operator.awaitCondition("faq", "Ready", "False/InvalidSpec");

    JsonNode ready = operator.condition("faq", "Ready");
    assertThat(ready.path("message").asText())
        .contains("spec.budget.total")
        .contains("1.5s")
        .contains("The plan of generation 1 keeps serving");
    assertThat(ready.path("observedGeneration").asLong()).isEqualTo(2);
    assertThat(operator.condition("faq", "Stalled").path("status").asText()).isEqualTo("True");
    assertThat(plans().getFirst().getData().get("plan.json")).isEqualTo(before);
    assertThat(operator.node.deployment("faq")).isNotNull();
    await().untilAsserted(() -> assertThat(events()).contains("InvalidSpec"));

    operator.apply(MINIMAL);
    operator.awaitCondition("faq", "Ready", "True/Serving");
    assertThat(plans().getFirst().getData().get("plan.json")).isEqualTo(before);
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
  void a_move_reaches_the_pods_and_is_told_with_its_reason() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    Duration declared = cap("search");
    Duration wanted = declared.plusMillis(120);
    move("search", declared, wanted);

    operator.round();

    await().until(() -> cap("search"), wanted::equals);
    assertThat(operator.node.currentRevision("faq")).isEqualTo(2);
    await()
        .untilAsserted(
            () ->
                assertThat(operator.client.pods().inNamespace("default").list().getItems())
                    .allSatisfy(
                        pod ->
                            assertThat(pod.getMetadata().getAnnotations())
                                .containsEntry(Labels.PLAN_REVISION, "2")));
    assertThat(operator.condition("faq", "PlanDelivered").path("status").asText())
        .isNotEqualTo("True");
    operator.node.refreshMounts("faq");
    operator.awaitCondition("faq", "PlanDelivered", "True/Delivered");

    JsonNode status = operator.status("faq");
    assertThat(status.at("/rebalance/changes/0/stage").asText()).isEqualTo("search");
    assertThat(status.at("/rebalance/changes/0/from").asText()).isEqualTo("600ms");
    assertThat(status.at("/rebalance/changes/0/to").asText()).isEqualTo("720ms");
    assertThat(status.at("/rebalance/changes/0/why").asText()).isEqualTo("p95 600 ms + 20 %");
    assertThat(status.at("/plan/revision").asLong()).isEqualTo(2);
    await().untilAsserted(() -> assertThat(events()).contains("CapsRebalanced"));
    assertThat(operator.journey("faq").getMetadata().getGeneration()).isEqualTo(1);
  }

  @Test
  void a_move_survives_a_restart_and_is_dropped_when_its_stage_changes() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    Duration wanted = cap("search").plusMillis(120);
    move("search", cap("search"), wanted);
    operator.round();
    await().until(() -> cap("search"), wanted::equals);
    hold();

    operator.restart();
    operator.apply(MINIMAL + "  workload: {replicas: 3}\n");
    await().until(() -> operator.node.deployment("faq").getSpec().getReplicas() == 3);
    assertThat(cap("search")).isEqualTo(wanted);

    operator.apply(MINIMAL.replace("3s", "4s"));
    await().until(() -> cap("search"), Duration.ofMillis(800)::equals);
  }

  @Test
  void recommend_writes_nothing_but_status() {
    operator.apply(MINIMAL + "  rebalance: {mode: Recommend}\n");
    operator.ready("faq");
    quiet();
    operator.server.requests().clear();
    operator.rule =
        input ->
            new RebalanceDecision.Recommend(
                Reasons.RECOMMENDING,
                "search 600 ms → 720 ms",
                List.of(change("search", Duration.ofMillis(600), Duration.ofMillis(720))),
                OperatorHarness.NOTHING_MEASURED);

    operator.round();
    operator.awaitCondition("faq", "Rebalanced", "False/Recommending");
    quiet();

    assertThat(operator.status("faq").at("/rebalance/recommendation/changes/0/to").asText())
        .isEqualTo("720ms");
    assertThat(operatorWrites())
        .allSatisfy(write -> assertThat(write.subresource()).isEqualTo("status"));
    assertThat(operator.node.currentRevision("faq")).isEqualTo(1);
  }

  @Test
  void without_metrics_caps_stay_and_the_journey_stays_ready() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    operator.rule =
        input ->
            new RebalanceDecision.Hold(
                Reasons.QUERY_FAILED,
                "caps stay: Prometheus does not answer",
                new RoundFigures(
                    Reasons.QUERY_FAILED,
                    "Prometheus does not answer",
                    List.of(),
                    RoundFigures.JourneyFigures.NONE));

    operator.round();
    operator.awaitCondition("faq", "MetricsAvailable", "False/QueryFailed");

    assertThat(operator.condition("faq", "Ready").path("status").asText()).isEqualTo("True");
    assertThat(operator.condition("faq", "Rebalanced").path("reason").asText())
        .isEqualTo("Holding");
    assertThat(operator.node.currentRevision("faq")).isEqualTo(1);
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
    assertThat(children()).isEmpty();
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
  void what_a_pod_misses_is_the_reason_that_it_is_not_ready() {
    operator.node.waitFor("documents are missing: ConfigMap faq-documents");
    operator.apply(MINIMAL);
    await().until(() -> operator.node.deployment("faq") != null);
    operator.node.rollOut("faq");

    operator.awaitCondition("faq", "Ready", "False/DocumentsMissing");
  }

  @Test
  void pods_that_do_not_answer_leave_delivery_unknown_and_ready_untouched() {
    operator.node.answer(false);
    operator.apply(MINIMAL);
    await().until(() -> operator.node.deployment("faq") != null);
    operator.node.rollOut("faq");

    operator.awaitCondition("faq", "PlanDelivered", "Unknown/PodsUnreachable");
    operator.awaitCondition("faq", "Ready", "True/Serving");
  }

  @Test
  void a_new_image_gets_a_plan_of_its_own_and_the_old_one_goes_after_the_rollout() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    String first = plans().getFirst().getMetadata().getName();

    operator.apply(MINIMAL + "  workload: {image: \"ragjourney:next\"}\n");
    await().until(() -> plans().size() == 2);
    operator.node.rollOut("faq");

    await().until(() -> plans().size() == 1);
    assertThat(plans().getFirst().getMetadata().getName()).isNotEqualTo(first);
  }

  @Test
  void deletion_leaves_nothing() {
    operator.apply(MINIMAL);
    operator.ready("faq");

    operator.client.resource(operator.journey("faq")).delete();

    await().untilAsserted(() -> assertThat(children()).isEmpty());
    operator.round();
    quiet();
    assertThat(children()).isEmpty();
  }

  private void move(String stage, Duration from, Duration to) {
    operator.rule =
        input ->
            new RebalanceDecision.Move(
                Reasons.REBALANCED,
                "moved",
                List.of(change(stage, from, to)),
                OperatorHarness.NOTHING_MEASURED);
  }

  private void hold() {
    operator.rule =
        input ->
            new RebalanceDecision.Hold(
                Reasons.IN_BALANCE, "in balance", OperatorHarness.NOTHING_MEASURED);
  }

  private static CapChange change(String stage, Duration from, Duration to) {
    return new CapChange(stage, from, to, "p95 600 ms + 20 %");
  }

  private Duration cap(String stage) {
    return operator.node.plan("faq").budget().stages().stream()
        .filter(s -> s.name().equals(stage))
        .findFirst()
        .orElseThrow()
        .cap();
  }

  private List<ConfigMap> plans() {
    return operator
        .client
        .configMaps()
        .inNamespace("default")
        .withLabel(Labels.JOURNEY, "faq")
        .list()
        .getItems();
  }

  private List<HasMetadata> children() {
    List<HasMetadata> children = new ArrayList<>();
    String selector = Labels.OWNED_SELECTOR;
    children.addAll(
        operator
            .client
            .configMaps()
            .inNamespace("default")
            .withLabelSelector(selector)
            .list()
            .getItems());
    children.addAll(
        operator
            .client
            .services()
            .inNamespace("default")
            .withLabelSelector(selector)
            .list()
            .getItems());
    children.addAll(
        operator
            .client
            .serviceAccounts()
            .inNamespace("default")
            .withLabelSelector(selector)
            .list()
            .getItems());
    children.addAll(
        operator
            .client
            .apps()
            .deployments()
            .inNamespace("default")
            .withLabelSelector(selector)
            .list()
            .getItems());
    return children;
  }

  private List<String> events() {
    return operator.client.v1().events().inNamespace("default").list().getItems().stream()
        .map(Event::getReason)
        .toList();
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

  /** No write of the operator for longer than it takes it to react. */
  private void quiet() {
    long[] last = {-1, 0};
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              long writes = operatorWrites().size();
              if (writes != last[0]) {
                last[0] = writes;
                last[1] = System.nanoTime();
              }
              return System.nanoTime() - last[1] > Duration.ofMillis(1200).toNanos();
            });
  }

  private List<RequestLog.Entry> operatorWrites() {
    return operator.server.requests().writes().stream().filter(OperatorIT::byOperator).toList();
  }

  private static boolean byOperator(RequestLog.Entry write) {
    return write.manager().startsWith("ragjourney-operator") || write.method().equals("DELETE");
  }
}
