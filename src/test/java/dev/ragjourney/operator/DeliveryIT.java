package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans and moved caps on their way to the pods, and what is told of it. */
class DeliveryIT {
  private final OperatorHarness operator = new OperatorHarness().start();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void a_move_reaches_the_pods_and_is_told_with_its_reason() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    Duration declared = operator.cap("search");
    Duration wanted = declared.plusMillis(120);
    move("search", declared, wanted);

    operator.round();

    await().until(() -> operator.cap("search"), wanted::equals);
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
    await().untilAsserted(() -> assertThat(operator.events()).contains("CapsRebalanced"));
    assertThat(operator.journey("faq").getMetadata().getGeneration()).isEqualTo(1);
  }

  @Test
  void a_move_survives_a_restart_and_is_dropped_when_its_stage_changes() {
    operator.apply(MINIMAL);
    operator.ready("faq");
    Duration wanted = operator.cap("search").plusMillis(120);
    move("search", operator.cap("search"), wanted);
    operator.round();
    await().until(() -> operator.cap("search"), wanted::equals);
    hold();

    operator.restart();
    operator.apply(MINIMAL + "  workload: {replicas: 3}\n");
    await().until(() -> operator.node.deployment("faq").getSpec().getReplicas() == 3);
    assertThat(operator.cap("search")).isEqualTo(wanted);

    operator.apply(MINIMAL.replace("3s", "4s"));
    await().until(() -> operator.cap("search"), Duration.ofMillis(800)::equals);
  }

  @Test
  void recommend_writes_nothing_but_status() {
    operator.apply(MINIMAL + "  rebalance: {mode: Recommend}\n");
    operator.ready("faq");
    operator.quiet();
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
    operator.quiet();

    assertThat(operator.status("faq").at("/rebalance/recommendation/changes/0/to").asText())
        .isEqualTo("720ms");
    assertThat(operator.operatorWrites())
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
  void what_a_pod_misses_is_the_reason_that_it_is_not_ready() {
    operator.node.waitFor("documents are missing: /var/lib/ragjourney/documents holds no file");
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
    String first = operator.plans().getFirst().getMetadata().getName();

    operator.apply(MINIMAL + "  workload: {image: \"ragjourney:next\"}\n");
    await().until(() -> operator.plans().size() == 2);
    operator.node.rollOut("faq");

    await().until(() -> operator.plans().size() == 1);
    assertThat(operator.plans().getFirst().getMetadata().getName()).isNotEqualTo(first);
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
}
