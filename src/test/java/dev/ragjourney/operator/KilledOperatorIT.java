package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The operator is killed after each single write; the next one ends in the same state. */
class KilledOperatorIT {
  /** Other documents are another plan's ConfigMap and a rollout; parts come and parts go. */
  private static final String BEFORE =
      MINIMAL + "  workload: {replicas: 3, networkPolicy: Managed}\n";

  private static final String AFTER =
      MINIMAL.replace("faq-documents", "other-documents")
          + "  workload: {autoscaling: {maxReplicas: 5}}\n";

  @TestFactory
  Stream<DynamicTest> during_the_first_install() {
    return runs(null);
  }

  @TestFactory
  Stream<DynamicTest> during_a_change_that_rolls_the_pods_and_swaps_parts() {
    return runs(BEFORE);
  }

  private static Stream<DynamicTest> runs(String before) {
    Undisturbed undisturbed;
    try (OperatorHarness operator = new OperatorHarness()) {
      undisturbed = undisturbed(operator, before);
    }
    assertThat(undisturbed.writes()).as("writes of a whole run").isGreaterThan(5);
    return IntStream.rangeClosed(0, undisturbed.writes())
        .mapToObj(
            writes ->
                DynamicTest.dynamicTest(
                    "killed after write %d of %d".formatted(writes, undisturbed.writes()),
                    () -> killedAfter(writes, before, undisturbed.end())));
  }

  private record Undisturbed(int writes, Map<String, JsonNode> end) {}

  private static Undisturbed undisturbed(OperatorHarness operator, String before) {
    begin(operator, before);
    operator.apply(AFTER);
    settle(operator);
    int writes =
        (int)
            operator.operatorWrites().stream()
                .filter(write -> !write.kind().equals("Event"))
                .count();
    return new Undisturbed(writes, operator.contents());
  }

  private static void killedAfter(int writes, String before, Map<String, JsonNode> end) {
    try (OperatorHarness operator = new OperatorHarness()) {
      begin(operator, before);
      operator.server.takeOperatorWrites(writes);
      operator.apply(AFTER);
      // Dead is the one whose next write is not taken; after the last write there is none.
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                operator.node.catchUp("faq");
                return !operator.server.requests().matching(e -> e.code() == 503).isEmpty()
                    || operator.contents().equals(end);
              });

      operator.restart(() -> operator.server.takeOperatorWrites(Integer.MAX_VALUE));

      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                operator.node.catchUp("faq");
                assertThat(operator.contents()).isEqualTo(end);
                assertThat(operator.condition("faq", "Ready").path("status").asText())
                    .isEqualTo("True");
              });
    }
  }

  private static void begin(OperatorHarness operator, String before) {
    operator.start();
    if (before != null) {
      operator.apply(before);
      operator.ready("faq");
      operator.quiet();
    }
    operator.server.requests().clear();
  }

  /** The pods roll out as told, and everything that follows from it is done. */
  private static void settle(OperatorHarness operator) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                operator.node.deployment("faq") != null
                    && operator.status("faq").path("observedGeneration").asLong()
                        == operator.journey("faq").getMetadata().getGeneration());
    operator.quiet();
    operator.ready("faq");
    operator.quiet();
  }
}
