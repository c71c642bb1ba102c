package dev.ragjourney.operator;

import static dev.ragjourney.operator.OperatorHarness.MINIMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.support.kubernetes.WatchFault;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName(
    "Whatever watches tell late, twice, out of order or never, the same is there in the end")
class UnreliableWatchIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final String FIRST =
      MINIMAL + "  workload: {replicas: 3, networkPolicy: Managed}\n";

  /** Another plan's ConfigMap and a rollout; parts come and parts go. */
  private static final String THEN =
      MINIMAL.replace("faq-documents", "other-documents")
          + "  workload: {autoscaling: {maxReplicas: 5}}\n";

  @TestFactory
  Stream<DynamicTest> nothing_is_asked_or_written_twice() {
    Run undisturbed = run(WatchFault.NONE);
    return Stream.of(WatchFault.LATE, WatchFault.STALE)
        .map(
            fault ->
                DynamicTest.dynamicTest(fault.toString(), () -> sameAs(undisturbed, run(fault))));
  }

  private static void sameAs(Run undisturbed, Run disturbed) {
    assertThat(disturbed.contents()).isEqualTo(undisturbed.contents());
    assertThat(disturbed.writes()).as("writes by kind").isEqualTo(undisturbed.writes());
    assertThat(disturbed.reads()).as("reads of the Service, the ServiceAccount").isEqualTo(2);
    assertThat(undisturbed.reads()).isEqualTo(2);
  }

  private record Run(Map<String, JsonNode> contents, Map<String, Integer> writes, int reads) {}

  private static Run run(WatchFault fault) {
    try (OperatorHarness operator = new OperatorHarness()) {
      operator.start();
      operator.server.watches(fault);
      operator.apply(FIRST);
      awaitReady(operator);
      operator.apply(THEN);
      awaitReady(operator);
      await("one plan is left").atMost(SOON).until(() -> operator.plans().size() == 1);
      operator.quiet();
      Map<String, Integer> writes = new TreeMap<>();
      operator.operatorWrites().stream()
          .filter(write -> write.subresource().isEmpty() && !write.kind().equals("Event"))
          .filter(write -> !write.kind().equals("Pod") && write.code() < 300)
          .forEach(write -> writes.merge(write.method() + " " + write.kind(), 1, Integer::sum));
      return new Run(operator.contents(), writes, reads(operator));
    }
  }

  /** Nobody but the operator asks for them. */
  private static int reads(OperatorHarness operator) {
    return operator
        .server
        .requests()
        .matching(
            entry ->
                entry.method().equals("GET")
                    && entry.name().equals("faq")
                    && (entry.kind().equals("Service") || entry.kind().equals("ServiceAccount")))
        .size();
  }

  @Test
  void what_no_watch_told_is_found_when_they_list_again() {
    try (OperatorHarness operator = new OperatorHarness()) {
      operator.start();
      operator.apply(MINIMAL);
      operator.apply(MINIMAL.replace("name: faq", "name: gone"));
      operator.ready("faq");
      awaitMade(operator, "gone");
      operator.quiet();
      Map<String, JsonNode> before = operator.contents();
      operator.server.requests().clear();

      operator.server.watches(WatchFault.LOST);
      operator.client.resource(operator.journey("gone")).delete();
      operator.apply(MINIMAL.replace("name: faq", "name: new"));
      operator.client.serviceAccounts().inNamespace("default").withName("faq").delete();
      operator
          .client
          .services()
          .inNamespace("default")
          .withName("faq")
          .edit(
              service ->
                  new ServiceBuilder(service)
                      .editSpec()
                      .addToSelector(Labels.COMPONENT, "another")
                      .endSpec()
                      .build());
      operator.quiet();
      assertThat(operator.operatorWrites())
          .filteredOn(write -> !write.manager().isEmpty() && write.subresource().isEmpty())
          .as("nobody told it")
          .isEmpty();

      operator.server.watches(WatchFault.NONE);
      operator.server.expireWatches();
      awaitMade(operator, "new");
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                Map<String, JsonNode> after = operator.contents();
                assertThat(after.keySet()).noneMatch(name -> name.contains("gone"));
                before.keySet().removeIf(name -> !after.containsKey(name));
                assertThat(after).containsAllEntriesOf(before);
                assertThat(before).isNotEmpty();
              });
    }
  }

  @Test
  void what_is_deleted_before_a_watch_told_that_it_was_made_comes_back() {
    try (OperatorHarness operator = new OperatorHarness()) {
      operator.start();
      operator.server.watches(WatchFault.LATE);
      operator.apply(MINIMAL);
      var account = operator.client.serviceAccounts().inNamespace("default").withName("faq");
      await().atMost(SOON).until(() -> account.get() != null);
      String made = account.get().getMetadata().getUid();
      account.delete();
      await("long before it is asked for anyway")
          .atMost(RecentWrites.KEPT.minusSeconds(2))
          .until(() -> account.get() != null && !account.get().getMetadata().getUid().equals(made));
    }
  }

  private static void awaitMade(OperatorHarness operator, String name) {
    await(name).atMost(SOON).until(() -> operator.node.deployment(name) != null);
  }

  private static void awaitReady(OperatorHarness operator) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              operator.node.catchUp("faq");
              assertThat(operator.status("faq").path("observedGeneration").asLong())
                  .isEqualTo(operator.journey("faq").getMetadata().getGeneration());
              for (String condition : new String[] {"Ready", "PlanDelivered"}) {
                assertThat(operator.condition("faq", condition).path("status").asText())
                    .isEqualTo("True");
              }
            });
    operator.quiet();
  }
}
