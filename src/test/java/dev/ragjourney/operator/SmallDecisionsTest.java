package dev.ragjourney.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.rebalance.JourneyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallDecisionsTest {
  private static final JourneyId FAQ = new JourneyId("shop", "faq");
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  @Test
  void a_fight_over_a_field_ends_after_three_corrections_and_may_begin_anew_after_an_hour() {
    DriftGuard guard = new DriftGuard();

    for (int i = 0; i < 3; i++) {
      assertThat(guard.allows(FAQ, "Service faq", NOW.plusSeconds(i))).isTrue();
    }
    assertThat(guard.allows(FAQ, "Service faq", NOW.plusSeconds(4))).isFalse();
    assertThat(guard.allows(FAQ, "Deployment faq", NOW.plusSeconds(4))).isTrue();
    assertThat(guard.allows(FAQ, "Service faq", NOW.plus(Duration.ofMinutes(61)))).isTrue();
  }

  @Test
  void a_plan_is_announced_at_once_and_again_after_2_5_and_15_seconds() {
    List<Duration> announced = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      if (DeliverySteps.step(i).announce()) {
        announced.add(DeliverySteps.step(i).after());
      }
    }
    assertThat(announced)
        .containsExactly(
            Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(15));
  }

  @Test
  void pods_are_asked_on_and_on_at_growing_distances_until_all_are_there() {
    for (int i = 1; i < 100; i++) {
      Duration gap = DeliverySteps.step(i).after().minus(DeliverySteps.step(i - 1).after());
      assertThat(gap).isBetween(Duration.ofMillis(500), Duration.ofSeconds(30));
    }
  }

  @ParameterizedTest(name = "a pod that says \"{0}\" waits for {1}")
  @CsvSource({
    "documents are missing: /documents holds no file, DocumentsMissing",
    "backend llm: key 'token' of Secret or ConfigMap 'llm' is not mounted or not readable, SecretMissing",
    "backend llm: key 'token' of Secret or ConfigMap 'llm' is empty, SecretMissing",
    "documents are being indexed, ''",
    "the plan names the secret store, ''"
  })
  void what_a_pod_waits_for_is_a_persons_business_only_when_something_is_missing(
      String said, String reason) {
    PodAnswer.Problem problem =
        PodAsker.problem(Journeys.yaml("{ready: false, reasons: [\"" + said + "\"]}"));

    assertThat(problem.reason()).isEqualTo(reason);
    assertThat(problem.message()).isEqualTo(reason.isEmpty() ? "" : said);
  }

  @Test
  void what_is_remembered_of_a_journey_ends_with_it_and_does_not_pass_to_one_of_its_name() {
    List<JourneyId> forgotten = new ArrayList<>();
    List<JourneyId> existing = new ArrayList<>(List.of(FAQ));
    try (Memory memory = new Memory(existing::contains, List.of(forgotten::add))) {
      memory.meet(FAQ, "uid-1");
      memory.meet(FAQ, "uid-1");
      memory.sweep();
      assertThat(forgotten).isEmpty();

      memory.meet(FAQ, "uid-2");
      assertThat(forgotten).containsExactly(FAQ);

      existing.clear();
      memory.sweep();
      assertThat(forgotten).containsExactly(FAQ, FAQ);
    }
  }
}
