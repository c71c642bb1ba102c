package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.RebalanceStatus;
import dev.ragjourney.e2e.OpenLoopClient.Background;
import dev.ragjourney.e2e.ScriptedPod.Law;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A search gets twice as slow under load, on a real cluster with a real Prometheus. */
@DisplayName(
    "A stage gets twice as slow: caps follow within three rounds, and the spec stays the user's")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecoveryClusterE2E {
  private static final String NAMESPACE = "recovery";
  private static final Path MANIFEST = Path.of("src/test/resources/e2e/recovery.yaml");

  private static final Law SEARCH = new Law("/slowing", 110, 0.4, 0.001);
  private static final Law SLOWED = new Law("/slowing", 220, 0.4, 0.001);
  private static final Law KEYWORD = new Law("/steady", 30, 0.3, 0);
  private static final Law MODEL = new Law("chat", 250, 0.4, 0.001);

  private static final int A_SECOND = 25;
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int A_ROUND = A_SECOND * (int) INTERVAL.toSeconds();
  private static final int ROUNDS = 9;

  private Cluster cluster;
  private PrometheusServer prometheus;
  private OpenLoopClient client;
  private ScriptedPod scripted;
  private Journey journey;

  @BeforeAll
  void start() throws Exception {
    cluster = Cluster.connect();
    prometheus = new PrometheusServer(cluster);
    prometheus.start();
    client = new OpenLoopClient();
    cluster.runOperator(prometheus.url());
    cluster.namespace(NAMESPACE);
    journey = new Journey(cluster, NAMESPACE, "quality");
    scripted = ScriptedPod.start(cluster, NAMESPACE);
    for (Law law : List.of(SEARCH, KEYWORD, MODEL)) {
      scripted.follow(law);
    }
    cluster.apply(MANIFEST, NAMESPACE);
    journey.awaitCondition("Ready", "True", Duration.ofSeconds(240));
  }

  @Test
  void a_search_twice_as_slow_costs_full_answers_for_at_most_three_rounds() throws Exception {
    List<URI> pods = journey.podAddresses();
    try (Background before =
        client.askUntilStopped("before", pods, new Arrivals(100 * A_ROUND, A_SECOND, 1))) {
      await("a round has judged")
          .atMost(Duration.ofSeconds(90))
          .until(() -> journey.condition("MetricsAvailable").status().equals("True"));
      journey.awaitCondition("DegradedRateHigh", "False", Duration.ofSeconds(60));
      Cluster.report(before.stop().toString());
    }
    Duration declared = journey.cap("search");

    scripted.follow(SLOWED);
    LoadReport slowed =
        client.ask("slowed", pods, new Arrivals(ROUNDS * A_ROUND, A_SECOND, 2), () -> false);

    List<Double> full = byRound(slowed);
    Cluster.report("Full answers by interval after the search got twice as slow: " + percent(full));
    double settled = (full.get(ROUNDS - 1) + full.get(ROUNDS - 2) + full.get(ROUNDS - 3)) / 3;
    assertThat(full.getFirst()).as("the slow search costs something").isLessThan(settled - 0.04);
    int recovered = 0;
    while (full.get(recovered) < settled - 0.025) {
      recovered++;
    }
    Cluster.report("Recovered after " + recovered + " rounds");
    assertThat(recovered).as("rounds: %s", percent(full)).isLessThanOrEqualTo(3);
    assertThat(slowed.missShare()).as("%s", slowed).isLessThanOrEqualTo(0.015);
    assertThat(journey.cap("search")).isGreaterThan(declared.multipliedBy(5).dividedBy(4));

    statusAndEventsTellTheStory();
    theSpecIsTheUsers();
  }

  private void statusAndEventsTellTheStory() throws IOException {
    RebalanceStatus rebalance = Objects.requireNonNull(journey.status().rebalance());
    List<CapChangeStatus> changes = new ArrayList<>(Objects.requireNonNull(rebalance.changes()));
    Objects.requireNonNullElse(
            rebalance.history(), List.<dev.ragjourney.crd.status.RebalanceMove>of())
        .forEach(move -> changes.addAll(Objects.requireNonNullElse(move.changes(), List.of())));
    assertThat(changes)
        .anySatisfy(
            change -> {
              assertThat(change.stage()).isEqualTo("search");
              assertThat(change.why()).contains("of the calls");
            });
    assertThat(cluster.client().v1().events().inNamespace(NAMESPACE).list().getItems())
        .extracting(Event::getReason)
        .contains("CapsRebalanced", "PlanDelivered");
    journey.awaitCondition("DegradedRateHigh", "False", Duration.ofSeconds(5));
    cluster.show("recovery-describe.txt", "describe", "rj", "quality", "--namespace", NAMESPACE);
    cluster.show("recovery-events.txt", "get", "events", "--namespace", NAMESPACE);
  }

  /** As a GitOps tool compares: the live object against the manifest, and who owns which field. */
  private void theSpecIsTheUsers() throws IOException {
    Cluster.Ended diff =
        cluster.tryKubectl(
            "diff", "--server-side", "--namespace", NAMESPACE, "--filename", MANIFEST.toString());
    assertThat(diff.code()).as(diff.output() + diff.errors()).isZero();
    assertThat(journey.resource().get().getMetadata().getGeneration()).isEqualTo(1);
    assertThat(journey.resource().get().getMetadata().getManagedFields())
        .filteredOn(entry -> entry.getFieldsV1().getAdditionalProperties().containsKey("f:spec"))
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly("kubectl");
  }

  private static List<Double> byRound(LoadReport load) {
    List<Double> full = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      LoadReport part =
          new LoadReport("round", load.replies().subList(round * A_ROUND, (round + 1) * A_ROUND));
      full.add(part.fullShare());
    }
    return full;
  }

  private static List<String> percent(List<Double> shares) {
    return shares.stream()
        .map(share -> String.format(Locale.ROOT, "%.1f %%", share * 100))
        .toList();
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.show("recovery-status.yaml", "get", "rj", "-n", NAMESPACE, "-o", "yaml");
      journey.resource().delete();
    }
    Cluster.closeAll(scripted, client, prometheus, cluster);
  }
}
