package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.crd.status.RebalanceStatus;
import dev.ragjourney.e2e.OpenLoopClient.Background;
import dev.ragjourney.e2e.ScriptedPod.Law;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The main job on a real cluster: real pods, a real Prometheus, real documents. Each step goes on
 * from where the one before it ended.
 */
@DisplayName("One resource, real pods, a deadline that holds, caps that move")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MainJobClusterE2E {
  private static final String NAMESPACE = "shop";
  private static final Path RESOURCES = Path.of("src/test/resources/e2e");

  private static final Duration BUDGET = Duration.ofMillis(1500);
  private static final double LATEST_MILLIS = BUDGET.toMillis() + 10;

  private static final Law SEARCH = new Law("/docs", 120, 0.5, 0.002);
  private static final Law KEYWORD = new Law("/keyword", 30, 0.3, 0);
  private static final Law RERANK = new Law("http-rerank", 110, 0.5, 0.01);
  private static final Law MODEL = new Law("chat", 250, 0.4, 0.002);

  /** The same for the load before and the load after. */
  private static final Arrivals TWO_THOUSAND = new Arrivals(2000, 25, 42);

  private Cluster cluster;
  private PrometheusServer prometheus;
  private OpenLoopClient client;
  private ScriptedPod scripted;
  private Journey faq;
  private Journey support;
  private int passed;

  @BeforeAll
  void start_prometheus_and_the_operator() throws IOException {
    cluster = Cluster.connect();
    prometheus = new PrometheusServer(cluster);
    prometheus.start();
    client = new OpenLoopClient();
    cluster.runOperator(prometheus.url());
    cluster.namespace(NAMESPACE);
    faq = new Journey(cluster, NAMESPACE, "faq");
    support = new Journey(cluster, NAMESPACE, "support");
  }

  @Test
  @Order(1)
  @DisplayName("1. the minimal resource becomes Ready and answers real questions from real text")
  void the_minimal_resource_answers_from_its_documents() throws Exception {
    follows(0);
    cluster.apply(DebianFaq.documents(NAMESPACE, "faq-documents"));
    cluster.apply(RESOURCES.resolve("faq.yaml"), NAMESPACE);
    faq.awaitCondition("Ready", "True", Duration.ofSeconds(240));

    List<String> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (DebianFaq.Asked asked : DebianFaq.questions()) {
      Reply reply = client.ask(faq.service(), asked.question());
      assertThat(reply.answered()).as("%s: %s", asked, reply).isTrue();
      assertThat(reply.body().path("content").asText()).as("answer to %s", asked).isNotBlank();
      (asked.groundedIn(reply.sources()) ? found : missing).add(asked + " ← " + reply.sources());
    }
    Cluster.report("Grounded " + found.size() + " of 10; not: " + missing);
    assertThat(found).as("grounded; not: %s", missing).hasSizeGreaterThanOrEqualTo(9);
    passed = 1;
  }

  @Test
  @Order(2)
  @DisplayName("2. caps set wrong move by the rule, reach the pods, and full answers rise")
  void wrong_caps_are_put_right_under_load() throws Exception {
    follows(1);
    scripted = ScriptedPod.start(cluster, NAMESPACE);
    followAll();
    cluster.apply(RESOURCES.resolve("support.yaml"), NAMESPACE);
    support.awaitCondition("Ready", "True", Duration.ofSeconds(240));
    assertThat(support.pods()).hasSize(2);
    List<URI> pods = support.podAddresses();

    LoadReport before = ask("before, caps as declared", pods);
    assertThat(support.cap("search")).isEqualTo(Duration.ofMillis(700));
    assertThat(support.cap("rerank")).isEqualTo(Duration.ofMillis(80));
    assertThat(support.condition("Rebalanced").reason()).isEqualTo("Recommending");
    support.awaitCondition("DegradedRateHigh", "True", Duration.ofSeconds(15));

    LoadReport during;
    followAll();
    try (PlanDelivery delivery = PlanDelivery.of(support);
        Background load =
            client.askUntilStopped("while caps move", pods, new Arrivals(8000, 25, 43))) {
      setMode("Auto");
      await("the caps have settled")
          .atMost(Duration.ofSeconds(270))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> {
                assertThat(support.cap("search")).isBetween(millis(280), millis(420));
                assertThat(support.cap("rerank")).isBetween(millis(240), millis(420));
              });
      await("the last plan is everywhere")
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> assertThat(delivery.slowestMillis()).doesNotContainValue(Long.MAX_VALUE));
      Map<Long, Long> slowest = delivery.slowestMillis();
      during = load.stop();
      Cluster.report("Plans from ConfigMap to the slowest pod, ms by revision: " + slowest);
      assertThat(slowest).as("plans written").hasSizeGreaterThanOrEqualTo(3);
      assertThat(slowest.values()).as("delivery, ms: %s", slowest).allMatch(ms -> ms <= 5000);
    }
    Cluster.report(during.toString());
    assertThat(during.count(Reply::answered))
        .as("answered while caps moved: %s", during)
        .isEqualTo(during.replies().size());
    assertMovesFollowTheRule(Objects.requireNonNull(support.status().rebalance()));
    cluster.show("get.txt", "get", "rj", "--namespace", NAMESPACE);
    cluster.show("get-wide.txt", "get", "rj", "--namespace", NAMESPACE, "--output", "wide");
    cluster.show("describe.txt", "describe", "rj", "support", "--namespace", NAMESPACE);
    cluster.show("explain.txt", "explain", "rj.spec.stages");
    cluster.show("status.yaml", "get", "rj", "support", "-n", NAMESPACE, "-o", "yaml");

    followAll();
    LoadReport after = ask("after, same arrivals", pods);
    assertThat(after.fullShare() - before.fullShare())
        .as("rise of the share of full answers:\n%s\n%s", before, after)
        .isGreaterThanOrEqualTo(0.05);
    assertThat(after.missShare()).as("missed: %s", after).isLessThanOrEqualTo(0.01);
    support.awaitCondition("DegradedRateHigh", "False", Duration.ofSeconds(30));
    support.awaitCondition("WithinBudget", "True", Duration.ofSeconds(15));
    passed = 2;
  }

  @Test
  @Order(3)
  @DisplayName(
      "3. a stage that hangs is skipped, the model's hang ends in the static answer, in time")
  void a_hanging_stage_never_makes_an_answer_late() throws Exception {
    follows(2);
    List<URI> pods = support.podAddresses();
    scripted.follow(RERANK.hanging());
    LoadReport skipped = client.ask("rerank hangs", pods, new Arrivals(500, 20, 44), () -> false);
    Cluster.report(skipped.toString());
    assertThat(skipped.replies()).allMatch(Reply::answered).allMatch(Reply::degraded);
    assertThat(skipped.share(reply -> reply.skipped().contains("rerank"))).isGreaterThan(0.98);
    assertInTime(skipped);
    support.awaitCondition("DegradedRateHigh", "True", Duration.ofSeconds(30));

    scripted.follow(RERANK);
    scripted.follow(MODEL.hanging());
    LoadReport last = client.ask("model hangs", pods, new Arrivals(100, 10, 45), () -> false);
    Cluster.report(last.toString());
    assertThat(last.replies()).allMatch(Reply::answered).allMatch(Reply::degraded);
    assertInTime(last);

    followAll();
    try (Background load = client.askUntilStopped("fast again", pods, new Arrivals(5000, 25, 46))) {
      support.awaitCondition("DegradedRateHigh", "False", Duration.ofSeconds(180));
      Cluster.report(load.stop().toString());
    }
    passed = 3;
  }

  @Test
  @Order(4)
  @DisplayName("4. without Prometheus the caps stay and the journey stays Ready")
  void an_outage_of_prometheus_changes_nothing_that_serves() throws Exception {
    follows(3);
    prometheus.stop();
    support.awaitCondition("MetricsAvailable", "False", Duration.ofSeconds(60));
    assertThat(support.condition("MetricsAvailable").reason()).isEqualTo("QueryFailed");
    Map<String, Duration> caps = caps();
    LoadReport load =
        client.ask("no Prometheus", support.podAddresses(), new Arrivals(500, 25, 47), () -> false);
    Cluster.report(load.toString());
    assertThat(load.replies()).allMatch(Reply::answered);
    assertThat(caps()).as("caps while nothing is measured").isEqualTo(caps);
    assertThat(support.condition("MetricsAvailable").reason()).isEqualTo("QueryFailed");
    assertThat(support.condition("Ready").status()).isEqualTo("True");

    prometheus.start();
    try (Background again =
        client.askUntilStopped(
            "Prometheus is back", support.podAddresses(), new Arrivals(5000, 25, 48))) {
      support.awaitCondition("MetricsAvailable", "True", Duration.ofSeconds(120));
      Cluster.report(again.stop().toString());
    }
    assertThat(support.condition("Ready").status()).isEqualTo("True");
    passed = 4;
  }

  @Test
  @Order(5)
  @DisplayName("5. a deleted resource leaves nothing behind")
  void a_deleted_resource_leaves_nothing() {
    follows(4);
    assertThat(children(support)).as("what belongs to the journey").hasSizeGreaterThanOrEqualTo(4);
    support.resource().delete();
    faq.resource().delete();
    await("nothing of the journeys is left")
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              assertThat(children(support)).isEmpty();
              assertThat(children(faq)).isEmpty();
            });
    passed = 5;
  }

  @Test
  @Order(6)
  @DisplayName("6. the operator was refused nothing")
  void the_operator_was_never_refused() throws IOException {
    follows(5);
    List<AuditLog.Entry> requests = AuditLog.of(cluster).ofServiceAccounts(Cluster.SYSTEM);
    assertThat(requests).as("requests of the operator").isNotEmpty();
    assertThat(requests).filteredOn(entry -> entry.code() == 401 || entry.code() == 403).isEmpty();
  }

  /** A step means nothing after one that failed. */
  private void follows(int step) {
    assertThat(passed).as("the last step that passed").isEqualTo(step);
  }

  /** Everything in the namespace that carries the journey's label, pods included. */
  private List<String> children(Journey journey) {
    var in = cluster.client();
    return Stream.of(
            in.pods(),
            in.configMaps(),
            in.services(),
            in.serviceAccounts(),
            in.apps().deployments(),
            in.apps().replicaSets(),
            in.policy().v1().podDisruptionBudget(),
            in.discovery().v1().endpointSlices())
        .flatMap(
            kind ->
                kind
                    .inNamespace(NAMESPACE)
                    .withLabel(Journey.LABEL, journey.name())
                    .list()
                    .getItems()
                    .stream())
        .map(HasMetadata.class::cast)
        .map(each -> each.getKind() + "/" + each.getMetadata().getName())
        .toList();
  }

  private Map<String, Duration> caps() {
    return Map.of("search", support.cap("search"), "rerank", support.cap("rerank"));
  }

  /** From, to and why are there, no step is larger than allowed, and the sum fits the budget. */
  private void assertMovesFollowTheRule(RebalanceStatus rebalance) {
    List<CapChangeStatus> changes =
        new ArrayList<>(Objects.requireNonNullElse(rebalance.changes(), List.of()));
    for (RebalanceMove move :
        Objects.requireNonNullElse(rebalance.history(), List.<RebalanceMove>of())) {
      changes.addAll(Objects.requireNonNullElse(move.changes(), List.of()));
    }
    assertThat(changes)
        .as("moves in status")
        .extracting(CapChangeStatus::stage)
        .contains("search", "rerank");
    for (CapChangeStatus change : changes) {
      long from = Durations.parse(change.from()).toMillis();
      long to = Durations.parse(change.to()).toMillis();
      assertThat(to).as("%s", change).isBetween(from * 80 / 100 - 1, from * 150 / 100 + 1);
      assertThat(change.why()).as("%s", change).isNotBlank();
    }
    Duration declared = caps().values().stream().reduce(millis(600 + 50), Duration::plus);
    assertThat(declared).as("caps + generate's floor + reserve").isLessThanOrEqualTo(BUDGET);
  }

  private static void assertInTime(LoadReport load) {
    assertThat(load.latencyMillis(1))
        .as("slowest, ms: %s", load)
        .isLessThanOrEqualTo(LATEST_MILLIS);
  }

  private LoadReport ask(String name, List<URI> pods) throws IOException {
    LoadReport load = client.ask(name, pods, TWO_THOUSAND, () -> false);
    Cluster.report(load.toString());
    return load;
  }

  private void followAll() throws IOException, InterruptedException {
    for (Law law : List.of(SEARCH, KEYWORD, RERANK, MODEL)) {
      scripted.follow(law);
    }
  }

  private void setMode(String mode) throws IOException {
    cluster.kubectl(
        "--namespace=" + NAMESPACE,
        "patch",
        "rj",
        support.name(),
        "--type=merge",
        "--patch={\"spec\":{\"rebalance\":{\"mode\":\"" + mode + "\"}}}");
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.show("events.txt", "get", "events", "--all-namespaces", "--sort-by=.lastTimestamp");
      cluster.show("pods.txt", "get", "pods", "--all-namespaces", "--output=wide");
      cluster.keepLogs(Cluster.SYSTEM);
      cluster.keepLogs(NAMESPACE);
    }
    Cluster.closeAll(scripted, client, prometheus, cluster);
  }
}
