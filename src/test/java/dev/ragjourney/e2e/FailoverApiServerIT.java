package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.chart.HelmChart;
import dev.ragjourney.support.kubernetes.ReadyPods;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two operators as processes, each with an account of its own, so that the audit log tells them.
 */
@DisplayName("When the leader goes, the other operator leads")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailoverApiServerIT {
  private static final String NAMESPACE = "failover-shop";
  private static final String JOURNEY = "faq-0";
  private static final Duration SOON = Duration.ofSeconds(60);

  /** A lease of 10 s that is looked at every 2 to 4.4 s. */
  private static final Duration AFTER_A_KILL = Duration.ofSeconds(15);

  /** Looked at every 2 to 4.4 s. */
  private static final Duration AFTER_A_STOP = Duration.ofSeconds(6);

  /** Milliseconds from a change to the freeze of who was about to carry it out. */
  private static final int[] DELAYS =
      Stream.of(System.getProperty("ragjourney.failover.delays", "0").split(","))
          .mapToInt(Integer::parseInt)
          .toArray();

  private Cluster cluster;
  private Shop shop;
  private OperatorAccount firstAccount;
  private OperatorAccount secondAccount;
  private OperatorProcess first;
  private OperatorProcess second;
  private ReadyPods pods;
  private int changes;

  @BeforeAll
  void prepare() throws IOException {
    cluster = Cluster.connect();
    firstAccount = OperatorAccount.install(cluster, "failover-a");
    secondAccount = OperatorAccount.install(cluster, "failover-b");
    shop = Shop.open(cluster, NAMESPACE, 2);
    pods = new ReadyPods(cluster.client(), NAMESPACE);
  }

  @BeforeEach
  void two_operators() throws IOException {
    first = OperatorProcess.start(firstAccount, "first", Map.of());
    awaitLeader("first");
    second = OperatorProcess.start(secondAccount, "second", Map.of());
    second.awaitRunning();
    shop.awaitAll();
  }

  @Test
  void after_it_was_killed() throws Exception {
    first.kill();
    Instant killed = Instant.now();
    String total = change();
    awaitLeader("second");
    Duration took = Duration.between(killed, Instant.now());
    shop.awaitBudget(JOURNEY, total, SOON);
    Cluster.report("The leader is killed: the other leads after %d ms".formatted(took.toMillis()));
    assertThat(took).isLessThan(AFTER_A_KILL);
  }

  @Test
  void after_it_was_stopped() throws Exception {
    first.stop();
    Instant stopped = Instant.now();
    awaitLeader("second");
    Duration took = Duration.between(stopped, Instant.now());
    shop.awaitBudget(JOURNEY, change(), SOON);
    Cluster.report("The leader is stopped: the other leads after %d ms".formatted(took.toMillis()));
    assertThat(took).isLessThan(AFTER_A_STOP);
  }

  /** Frozen in the middle of a change, it wakes up in a world that another one leads. */
  @Test
  void and_the_old_one_undoes_nothing_when_it_wakes_up() throws Exception {
    for (int delay : DELAYS) {
      change();
      pass(delay);
      first.pause();
      awaitLeader("second");
      String total = change();
      shop.awaitBudget(JOURNEY, total, SOON);
      quiet();
      List<String> before = written();

      Instant woken = Instant.now();
      first.resume();
      await("the old leader ends").atMost(SOON).until(() -> first.restarts() > 0);
      first.awaitRunning();
      quiet();

      List<AuditLog.Entry> late = AuditLog.of(cluster).writes(firstAccount.user(), woken);
      Cluster.report(
          "A leader frozen %d ms after a change woke up: it tried %s".formatted(delay, late));
      assertThat(late).as("its writes are refused").allMatch(write -> write.code() == 409);
      assertThat(written())
          .as("as the new leader left it, frozen after %d ms", delay)
          .isEqualTo(before);
      // Back to the beginning, the other way round.
      second.stop();
      awaitLeader("first");
      first.forgetRestarts();
      second = OperatorProcess.start(secondAccount, "second", Map.of());
      second.awaitRunning();
    }
  }

  /** A time that is the point. */
  private static void pass(int millis) {
    Instant end = Instant.now().plusMillis(millis);
    await().pollInterval(Duration.ofMillis(5)).until(() -> !Instant.now().isBefore(end));
  }

  private String change() {
    int millis = 100 + ++changes;
    shop.change(JOURNEY, "2" + millis + "ms");
    return "2s" + millis + "ms";
  }

  /** The plans with their versions, and how often the Deployment was changed. */
  private List<String> written() {
    List<String> plans =
        cluster
            .client()
            .configMaps()
            .inNamespace(NAMESPACE)
            .withLabel(Journey.LABEL, JOURNEY)
            .list()
            .getItems()
            .stream()
            .map(plan -> plan.getMetadata().getName() + plan.getMetadata().getResourceVersion())
            .sorted()
            .toList();
    return List.of(
        plans.toString(),
        cluster
            .client()
            .apps()
            .deployments()
            .inNamespace(NAMESPACE)
            .withName(JOURNEY)
            .get()
            .getMetadata()
            .getGeneration()
            .toString());
  }

  private void quiet() {
    await("nothing is left to be written")
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              for (OperatorAccount account : List.of(firstAccount, secondAccount)) {
                assertThat(
                        AuditLog.of(cluster).writes(account.user(), Instant.now().minusSeconds(3)))
                    .isEmpty();
              }
            });
  }

  private void awaitLeader(String pod) {
    await(pod + " leads")
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                cluster
                    .client()
                    .leases()
                    .inNamespace(HelmChart.NAMESPACE)
                    .withName("ragjourney-operator")
                    .get(),
            lease -> lease != null && pod.equals(lease.getSpec().getHolderIdentity()));
  }

  @AfterEach
  void end_both() {
    Cluster.closeAll(first, second);
  }

  @AfterAll
  void remove() throws IOException {
    Cluster.closeAll(pods);
    cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=false", "--ignore-not-found");
    cluster.kubectl(
        "delete", "lease", "--all", "--namespace=" + HelmChart.NAMESPACE, "--ignore-not-found");
    cluster.close();
  }
}
