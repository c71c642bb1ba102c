package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.support.kubernetes.ReadyPods;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A control plane of this test's own goes away in each way that it can. Each time it comes back
 * with a change of a spec, and the operator carries it out, and writes nothing else.
 */
@DisplayName("An outage loses nothing and is followed by no flood of writes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutagesApiServerIT {
  private static final Duration AWAY =
      Duration.ofSeconds(Integer.getInteger("ragjourney.outage.seconds", 12));
  private static final String SHOP = "outages-shop";
  private static final int JOURNEYS = 8;

  /** Of the changed journey: its plan, its Deployment, its status as the pods roll. */
  private static final int WRITES_OF_ONE_CHANGE = 8;

  /** The lease's ten seconds, an operator's start, and a busy machine. */
  private static final Duration BACK_WITHIN = Duration.ofSeconds(60);

  private ControlPlane control;
  private OperatorAccount account;
  private OperatorProcess operator;
  private Shop shop;
  private ReadyPods pods;
  private int changes;

  @BeforeAll
  void prepare() throws IOException {
    control = ControlPlane.start();
    account = OperatorAccount.install(control.cluster(), "outages");
    operator = OperatorProcess.start(account, "outages-0", Map.of());
    shop = Shop.open(control.cluster(), SHOP, JOURNEYS);
    pods = new ReadyPods(control.cluster().client(), SHOP);
    shop.awaitAll();
  }

  @Test
  void the_api_server_hangs() throws Exception {
    outage(
        "API server hangs for " + AWAY.toSeconds() + " s",
        () -> {
          control.pause(ControlPlane.API_SERVER);
          pass();
          control.resume(ControlPlane.API_SERVER);
        });
  }

  @Test
  void the_api_server_is_killed_and_started_again() throws Exception {
    outage(
        "API server gone for " + AWAY.toSeconds() + " s",
        () -> {
          ControlPlane.Killed killed = control.kill(ControlPlane.API_SERVER);
          pass();
          killed.startAgain();
        });
  }

  @Test
  void etcd_is_killed_and_started_again() throws Exception {
    outage("etcd restarted", () -> control.kill(ControlPlane.ETCD).startAgain());
  }

  /** The operator sleeps through changes whose history is forgotten before it wakes up. */
  @Test
  void a_watch_is_expired() throws Exception {
    quiet();
    Instant from = Instant.now();
    operator.pause();
    shop.change("faq-1", "2800ms");
    control.compact();
    ControlPlane.Killed killed = control.kill(ControlPlane.API_SERVER);
    killed.startAgain();
    Instant back = shop.change("faq-2", "2700ms");
    control.compact();
    operator.resume();
    shop.awaitBudget("faq-1", "2s800ms", BACK_WITHIN);
    shop.awaitBudget("faq-2", "2s700ms", BACK_WITHIN);
    report("watch expired", back);
    assertCalm(from, List.of("faq-1", "faq-2"));
  }

  private interface Outage {
    void happens() throws Exception;
  }

  private void outage(String what, Outage outage) throws Exception {
    quiet();
    Instant from = Instant.now();
    outage.happens();
    String millis = 100 + ++changes + "";
    Instant back = shop.change("faq-0", "2" + millis + "ms");
    shop.awaitBudget("faq-0", "2s" + millis + "ms", BACK_WITHIN);
    report(what + " (the operator ended " + operator.restarts() + " times)", back);
    assertThat(operator.restarts()).as("ends of the operator").isLessThanOrEqualTo(1);
    assertThat(lease()).as("holder of the lease").isEqualTo(operator.pod());
    assertCalm(from, List.of("faq-0"));
  }

  /** Waits until nothing is left to be written from before. */
  private void quiet() {
    await("the operator has done its work")
        .atMost(BACK_WITHIN)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () ->
                assertThat(
                        AuditLog.of(control.cluster())
                            .writes(account.user(), Instant.now().minusSeconds(4)))
                    .isEmpty());
    operator.forgetRestarts();
  }

  /** Waits for a time that is the point, not for something to happen. */
  private static void pass() {
    Instant end = Instant.now().plus(AWAY);
    await().atMost(AWAY.plusSeconds(30)).until(() -> Instant.now().isAfter(end));
  }

  private static void report(String what, Instant back) throws IOException {
    Cluster.report(
        "%s: a change made as it came back was carried out after %d ms"
            .formatted(what, Duration.between(back, Instant.now()).toMillis()));
  }

  private String lease() {
    return control
        .cluster()
        .client()
        .leases()
        .inNamespace(dev.ragjourney.chart.HelmChart.NAMESPACE)
        .withName("ragjourney-operator")
        .get()
        .getSpec()
        .getHolderIdentity();
  }

  /**
   * Only what was changed is written, and not again and again. An operator that was started anew
   * makes its first round, which may be news in the status of others.
   */
  private void assertCalm(Instant from, List<String> changed) throws IOException {
    // Pods that the test plays answer nobody, so that their plan is announced again by a new
    // process.
    Map<Boolean, List<AuditLog.Entry>> writes =
        AuditLog.of(control.cluster()).writes(account.user(), from).stream()
            .filter(write -> !write.resource().equals("pods"))
            .collect(
                Collectors.partitioningBy(
                    write -> changed.stream().anyMatch(write.name()::startsWith)));
    assertThat(writes.get(true))
        .as("writes of what was changed")
        .hasSizeBetween(2 * changed.size(), WRITES_OF_ONE_CHANGE * changed.size());
    assertThat(writes.get(false))
        .as("writes of what was not")
        .allSatisfy(write -> assertThat(write.resource()).isEqualTo("ragjourneys/status"))
        .extracting(AuditLog.Entry::name)
        .doesNotHaveDuplicates();
  }

  @AfterAll
  void stop() {
    Cluster.closeAll(operator, pods, control);
  }
}
