package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two replicas of the operator, of which one leads by its Lease. */
@DisplayName("The leading operator is killed, stopped or frozen: the other goes on where it was")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailoverClusterE2E {
  private static final String LEASE = "ragjourney-operator";
  private static final Duration PROMISED = Duration.ofSeconds(15);

  /** A Lease that is not given back is free after so long. */
  private static final Duration LEASE_DURATION = Duration.ofSeconds(10);

  private static final Duration A_WHILE = Duration.ofSeconds(90);

  private Cluster cluster;
  private ServedJourney served;
  private Journey journey;
  private Background load;
  private RunningPlans plans;
  private int changes;
  private int changesBefore;
  private int writtenBefore;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    cluster.runOperator();
    cluster.operatorReplicas(2);
    served = ServedJourney.start(cluster, "failover");
    journey = served.journey();
  }

  @BeforeEach
  void serve() throws IOException {
    cluster.awaitOperator();
    writtenBefore = written().size();
    changesBefore = changes;
    plans = RunningPlans.of(journey);
    load =
        served.client().askUntilStopped("failover", served.address(), new Arrivals(9999, 10, 71));
  }

  @Test
  @DisplayName("killed: the other leads within 15 s")
  void a_killed_leader_is_replaced_within_15_seconds() throws Exception {
    String leader = leader();
    Pod pod = pod(leader);
    long start = System.nanoTime();
    PodProcess.of(cluster, pod).kill();
    // Not started again: it would find its own Lease.
    cluster.client().resource(pod).withGracePeriod(0).delete();
    long generation = changeCap();

    long led = awaitOtherThan(leader, start);
    long delivered = plans.awaitEverywhere(generation, A_WHILE) - start;

    report("killed", led, delivered);
    assertThat(led).as("nanoseconds without a leader").isLessThanOrEqualTo(PROMISED.toNanos());
  }

  @Test
  @DisplayName("stopped: the other leads at once, for the Lease is given back")
  void a_stopped_leader_gives_its_lease_back() throws Exception {
    String leader = leader();
    long start = System.nanoTime();
    cluster.client().resource(pod(leader)).delete();
    long generation = changeCap();

    long led = awaitOtherThan(leader, start);
    long delivered = plans.awaitEverywhere(generation, A_WHILE) - start;

    report("stopped", led, delivered);
    assertThat(led).as("nanoseconds without a leader").isLessThan(LEASE_DURATION.toNanos());
  }

  @Test
  @DisplayName("frozen: when it goes on it finds another leader, ends, and has put nothing back")
  void a_frozen_leader_puts_nothing_back_when_it_goes_on() throws Exception {
    String leader = leader();
    Pod frozen = pod(leader);
    long start = System.nanoTime();
    long led;
    long generation;
    try (var _ = PodProcess.of(cluster, frozen).freeze()) {
      led = awaitOtherThan(leader, start);
      generation = changeCap();
      plans.awaitEverywhere(generation, A_WHILE);
      generation = changeCap();
      plans.awaitEverywhere(generation, A_WHILE);
    }
    report("frozen", led, System.nanoTime() - start);
    await("the one that was frozen has ended and is a stand-by")
        .atMost(A_WHILE)
        .untilAsserted(() -> assertThat(restarts(leader)).isGreaterThan(restarts(frozen)));
    assertThat(leader()).isNotEqualTo(leader);
    assertThat(plans.awaitEverywhere(generation, A_WHILE)).isPositive();
  }

  /** Nobody lost an answer, no pod a newer plan, and nobody wrote what another had written. */
  @AfterEach
  void nothing_is_lost_and_nothing_is_written_twice() throws IOException {
    LoadReport report = load.stop();
    Cluster.report(report.toString());
    List<String> back = plans.wentBack();
    Cluster.closeAll(plans);
    assertThat(report.replies()).isNotEmpty().allMatch(Reply::answered);
    assertThat(back).isEmpty();

    List<AuditLog.Entry> all = written();
    List<AuditLog.Entry> written = all.subList(writtenBefore, all.size());
    assertThat(written.stream().filter(entry -> entry.resource().equals("configmaps")))
        .as("writes of the plan, one for each change")
        .hasSize(changes - changesBefore);
    List<String> writers = new ArrayList<>();
    written.forEach(
        entry -> {
          if (writers.isEmpty() || !writers.getLast().equals(entry.pod())) {
            writers.add(entry.pod());
          }
        });
    assertThat(new HashSet<>(writers))
        .as("one after the other: %s", writers)
        .hasSameSizeAs(writers);
  }

  private List<AuditLog.Entry> written() throws IOException {
    return AuditLog.of(cluster).ofServiceAccounts(Cluster.SYSTEM).stream()
        .filter(entry -> entry.namespace().equals(journey.namespace()))
        .filter(AuditLog.Entry::changed)
        .toList();
  }

  private static void report(String how, long led, long delivered) throws IOException {
    Cluster.report(
        "The leading operator was %s: another leads after %d ms, a change of caps is on all pods after %d ms"
            .formatted(
                how, TimeUnit.NANOSECONDS.toMillis(led), TimeUnit.NANOSECONDS.toMillis(delivered)));
  }

  private long changeCap() {
    changes++;
    return journey.patch(
        "[{\"op\": \"replace\", \"path\": \"/spec/stages/0/cap\", \"value\": \"%dms\"}]"
            .formatted(400 + changes));
  }

  private String leader() {
    return Objects.requireNonNullElse(
        cluster
            .client()
            .leases()
            .inNamespace(Cluster.SYSTEM)
            .withName(LEASE)
            .get()
            .getSpec()
            .getHolderIdentity(),
        "");
  }

  private long awaitOtherThan(String leader, long start) {
    await("another operator leads")
        .atMost(A_WHILE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !leader().isEmpty() && !leader().equals(leader));
    return System.nanoTime() - start;
  }

  private Pod pod(String name) {
    return cluster.client().pods().inNamespace(Cluster.SYSTEM).withName(name).get();
  }

  private int restarts(String name) {
    return restarts(pod(name));
  }

  private static int restarts(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst().getRestartCount();
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.operatorReplicas(1);
    }
    Cluster.closeAll(served, cluster);
  }
}
