package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.chart.HelmChart;
import dev.ragjourney.support.kubernetes.ReadyPods;
import dev.ragjourney.support.prometheus.RealPrometheus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Journeys whose metrics a real Prometheus scrapes, under traffic that does not change. */
@DisplayName("Under steady traffic")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdleApiServerSoak {
  private static final String NAMESPACE = "idle-shop";
  private static final int JOURNEYS = 3;
  private static final Duration TOTAL = Duration.ofSeconds(3);
  private static final Duration IDLE =
      Duration.ofSeconds(Integer.getInteger("ragjourney.idle.seconds", 45));
  private static final Duration INTERVAL =
      Duration.ofSeconds(Integer.getInteger("ragjourney.idle.interval", 10));
  private static final Duration WINDOW = INTERVAL.multipliedBy(3);
  private static final Duration SOON = Duration.ofSeconds(90).plus(WINDOW.multipliedBy(8));

  private final List<SteadyTraffic> traffic = new ArrayList<>();
  private Cluster cluster;
  private OperatorAccount account;
  private Shop shop;
  private ReadyPods pods;
  private RealPrometheus prometheus;
  private OperatorProcess operator;

  @BeforeAll
  void prepare(@TempDir Path directory) throws IOException {
    cluster = Cluster.connect();
    account = OperatorAccount.install(cluster, "idle");
    prometheus = RealPrometheus.start(RealPrometheus.binary().orElseThrow(), directory, "500ms");
    operator =
        OperatorProcess.start(
            account, "idle-0", Map.of("RAGJOURNEY_PROMETHEUS_URL", prometheus.url().toString()));
    shop =
        Shop.open(
            cluster,
            NAMESPACE,
            JOURNEYS,
            "{interval: %s, window: %s, cooldown: %s}"
                .formatted(
                    Durations.format(INTERVAL),
                    Durations.format(WINDOW),
                    Durations.format(INTERVAL)));
    pods = new ReadyPods(cluster.client(), NAMESPACE);
    shop.awaitAll();
    for (String name : shop.names()) {
      traffic.add(new SteadyTraffic(prometheus, shop.journey(name), TOTAL, traffic.size()));
    }
    for (String name : shop.names()) {
      shop.journey(name).awaitCondition("MetricsAvailable", "True", SOON);
    }
    quiet();
  }

  /** The caps are where they should be, and the figures are as they stay. */
  private void quiet() {
    await("nothing is left to be written")
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(writesSince(Instant.now().minus(WINDOW))).isEmpty());
  }

  private List<AuditLog.Entry> writesSince(Instant from) throws IOException {
    return AuditLog.of(cluster).writes(account.user(), from);
  }

  @Test
  void nothing_is_written_though_rounds_go_on() throws Exception {
    double rounds = measuredRounds();
    Instant from = Instant.now();
    StatusChanges changes = StatusChanges.of(shop);
    await()
        .atMost(IDLE.plusSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              changes.look();
              return Instant.now().isAfter(from.plus(IDLE));
            });
    changes.seen().forEach(System.out::println);

    double made = measuredRounds() - rounds;
    List<AuditLog.Entry> requests =
        AuditLog.of(cluster).requests(account.user(), from).stream()
            .filter(request -> !request.resource().equals("leases"))
            .filter(request -> !request.verb().equals("watch"))
            .filter(request -> !request.resource().isEmpty())
            .toList();
    Cluster.report(
        "%d s of steady traffic, %.0f rounds: %d requests to the API server but the lease's %s"
            .formatted(IDLE.toSeconds(), made, requests.size(), requests));
    assertThat(made).isGreaterThan(IDLE.dividedBy(INTERVAL) / 2.0);
    assertThat(requests).isEmpty();
  }

  private double measuredRounds() throws Exception {
    return operator.metric("ragjourney_operator_rounds_total{result=\"measured\"");
  }

  @Test
  void caps_stay_while_prometheus_is_away_and_a_condition_says_so() throws Exception {
    Journey journey = shop.journey("faq-0");
    Duration cap = journey.cap("search");
    Instant from = Instant.now();
    prometheus.stop();
    Instant stopped = Instant.now();
    journey.awaitCondition("MetricsAvailable", "False", SOON);
    Duration told = Duration.between(stopped, Instant.now());
    String reason = journey.condition("MetricsAvailable").reason();
    double rounds = operator.metric("ragjourney_operator_rounds_total");
    await("rounds go on")
        .atMost(SOON)
        .until(() -> operator.metric("ragjourney_operator_rounds_total") > rounds + 2);
    assertThat(journey.cap("search")).isEqualTo(cap);
    assertThat(journey.condition("Ready").status()).isEqualTo("True");
    assertThat(writesSince(from))
        .as("writes while Prometheus is away: a status for each journey")
        .hasSizeLessThanOrEqualTo(2 * JOURNEYS)
        .allSatisfy(write -> assertThat(write.resource()).isEqualTo("ragjourneys/status"));

    prometheus.start();
    Instant back = Instant.now();
    journey.awaitCondition("MetricsAvailable", "True", SOON);
    Cluster.report(
        "Prometheus away: told (%s) after %d ms, back: measured after %d ms"
            .formatted(reason, told.toMillis(), Duration.between(back, Instant.now()).toMillis()));
  }

  @AfterAll
  void remove() throws IOException {
    traffic.forEach(SteadyTraffic::close);
    Cluster.closeAll(operator, prometheus, pods);
    cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=false", "--ignore-not-found");
    cluster.kubectl(
        "delete", "lease", "--all", "--namespace=" + HelmChart.NAMESPACE, "--ignore-not-found");
    cluster.close();
  }
}
