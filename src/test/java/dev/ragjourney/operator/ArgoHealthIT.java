package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.chart.ArgoHealth;
import dev.ragjourney.chart.ArgoHealth.Health;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.RoundFigures.JourneyFigures;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Argo CD shows, by the chart's health check on what the operator really wrote. */
class ArgoHealthIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ZoneId UTC = ZoneId.of("Z");

  private final OperatorHarness operator = new OperatorHarness();

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void what_no_operator_has_seen_is_progressing() throws IOException {
    operator.apply(MINIMAL);

    assertThat(health())
        .isEqualTo(new Health("Progressing", "the operator has not seen this generation yet"));
    operator.start();
  }

  @Test
  void pods_on_their_way_are_progressing_ready_ones_healthy_and_an_edit_is_progressing_again()
      throws IOException {
    operator.start().apply(MINIMAL);
    operator.awaitCondition("faq", "Ready", "False/PodsNotReady");
    assertThat(health().status()).isEqualTo("Progressing");
    assertThat(health().message()).contains("pods");

    operator.ready("faq");
    assertThat(health()).isEqualTo(new Health("Healthy", "all 2 pods are up to date and ready"));

    ObjectNode edited = journey();
    ObjectNode metadata = (ObjectNode) edited.path("metadata");
    metadata.put("generation", metadata.path("generation").asInt() + 1);
    assertThat(ArgoHealth.of(edited, Instant.now(), UTC).status()).isEqualTo("Progressing");
  }

  @Test
  void a_spec_that_cannot_be_carried_out_is_degraded_with_the_operators_words() throws IOException {
    operator.start().apply(MINIMAL);
    operator.ready("faq");
    operator.apply(MINIMAL.replace("3s", "1.5s"));
    operator.awaitCondition("faq", "Ready", "False/InvalidSpec");

    assertThat(health().status()).isEqualTo("Degraded");
    assertThat(health().message()).contains("spec.budget.total").contains("1.5s");
  }

  @Test
  void degraded_answers_above_the_threshold_are_degraded_only_when_they_last() throws IOException {
    operator.start().apply(MINIMAL);
    operator.ready("faq");
    measured(0.5, 0);
    operator.awaitCondition("faq", "DegradedRateHigh", "True/AboveThreshold");
    Instant since = Instant.parse(since("DegradedRateHigh"));

    for (String zone : List.of("Z", "Asia/Tokyo", "America/St_Johns")) {
      assertThat(after(since, Duration.ofSeconds(15 * 60 - 1), zone))
          .satisfies(
              health -> {
                assertThat(health.status()).as(zone).isEqualTo("Healthy");
                assertThat(health.message()).contains("50%").contains("less than 15 minutes");
              });
      assertThat(after(since, Duration.ofMinutes(15), zone).status())
          .as(zone)
          .isEqualTo("Degraded");
      assertThat(after(since, Duration.ofDays(40), zone).message()).contains("50%");
    }

    measured(0.01, 0);
    operator.awaitCondition("faq", "DegradedRateHigh", "False/BelowThreshold");
    assertThat(after(since, Duration.ofDays(1), "Z").status()).isEqualTo("Healthy");
  }

  @Test
  void missed_answers_above_the_objective_are_degraded_when_they_last() throws IOException {
    operator.start().apply(MINIMAL);
    operator.ready("faq");
    measured(0, 0.2);
    operator.awaitCondition("faq", "WithinBudget", "False/MissRatioHigh");
    Instant since = Instant.parse(since("WithinBudget"));

    assertThat(after(since, Duration.ofMinutes(14), "Z").status()).isEqualTo("Healthy");
    assertThat(after(since, Duration.ofMinutes(16), "Z"))
        .satisfies(
            health -> {
              assertThat(health.status()).isEqualTo("Degraded");
              assertThat(health.message()).contains("20%").contains("missed");
            });
  }

  @Test
  void a_journey_paused_by_its_annotation_is_suspended_and_one_without_rebalancing_is_not()
      throws IOException {
    operator.start().apply(MINIMAL + "  rebalance: {mode: Disabled}\n");
    operator.ready("faq");
    assertThat(health().status()).isEqualTo("Healthy");

    operator.apply(
        MINIMAL.replace(
            "{name: faq}", "{name: faq, annotations: {ragjourney.dev/paused: 'true'}}"));
    assertThat(health().status()).isEqualTo("Suspended");
    operator.apply(
        MINIMAL.replace(
            "{name: faq}", "{name: faq, annotations: {ragjourney.dev/paused: 'false'}}"));
    await().untilAsserted(() -> assertThat(health().status()).isEqualTo("Healthy"));
  }

  private void measured(double degraded, double missed) {
    operator.rule =
        input ->
            new RebalanceDecision.Hold(
                Reasons.IN_BALANCE,
                "caps stay",
                new RoundFigures(
                    RoundFigures.MEASURED,
                    "1000 answers",
                    List.of(),
                    new JourneyFigures(
                        1000, Duration.ofMillis(900), 1 - missed, degraded, missed, "fast", null)));
    operator.round();
  }

  private String since(String type) {
    return operator.condition("faq", type).path("lastTransitionTime").asText();
  }

  private Health after(Instant since, Duration time, String zone) throws IOException {
    return ArgoHealth.of(journey(), since.plus(time), ZoneId.of(zone));
  }

  private Health health() throws IOException {
    return ArgoHealth.of(journey(), Instant.now(), UTC);
  }

  private ObjectNode journey() throws IOException {
    JsonNode object = JSON.readTree(Serialization.asJson(operator.journey("faq")));
    return (ObjectNode) object;
  }
}
