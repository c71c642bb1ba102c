package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** A release from its installation to its removal, while a journey serves. */
@DisplayName("Helm installs, upgrades, rolls back and removes the operator, and no answer is lost")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChartClusterE2E {
  private static final String NAMESPACE = "chart-shop";
  private static final String CRD = "ragjourneys.ragjourney.dev";
  private static final Arrivals WARM_UP = new Arrivals(80, 10, 50);
  private static final Arrivals TWENTY = new Arrivals(20, 10, 52);
  private static final Path FAQ = Path.of("src/test/resources/e2e/faq.yaml");

  private Cluster cluster;
  private HelmRelease release;
  private OpenLoopClient client;
  private Journey faq;
  private List<String> pods;
  private int passed;
  private Instant uninstalling = Instant.MAX;
  private Instant installingAgain = Instant.MAX;

  @BeforeAll
  void connect() throws IOException {
    cluster = Cluster.connect();
    release = HelmRelease.of(cluster, "ragjourney", Cluster.SYSTEM);
    client = new OpenLoopClient();
    faq = new Journey(cluster, NAMESPACE, "faq");
    cluster.namespace(Cluster.SYSTEM);
    cluster.namespace(NAMESPACE);
  }

  @Test
  @Order(1)
  @DisplayName("1. install, and helm test has a real question answered")
  void an_installed_release_answers_a_question() throws Exception {
    follows(0);
    release.install("admission.enabled=true", "admission.maxBudget=20s");
    assertThatALargerBudgetIsRefused();
    assertThat(release.test()).contains("\"content\"").contains("latency budget");
    assertThat(journeys(Cluster.SYSTEM)).as("what helm test left behind").isEmpty();

    cluster.apply(DebianFaq.documents(NAMESPACE, "faq-documents"));
    cluster.apply(FAQ, NAMESPACE);
    faq.awaitCondition("Ready", "True", Duration.ofSeconds(240));
    pods = podUids();
    // Pods that have just started run their code interpreted, and take few questions at a time.
    client.ask("before Helm is at work", faq.podAddresses(), WARM_UP, () -> false);
    passed = 1;
  }

  @Test
  @Order(2)
  @DisplayName(
      "2. upgrade to two replicas brings the CRD up to date and touches no pod of a journey")
  void an_upgrade_brings_the_crd_and_leaves_pods_alone() throws Exception {
    follows(1);
    forgetAColumn();
    try (Background load = ask()) {
      release.upgrade("replicas=2", "logLevel=DEBUG", "admission.enabled=false");
      assertNoneLost(load);
    }
    assertThat(operator().getStatus().getReadyReplicas()).isEqualTo(2);
    assertThat(columns()).contains("DEGRADED");
    assertThat(guardRails()).isEmpty();
    assertThat(podUids()).isEqualTo(pods);
    passed = 2;
  }

  @Test
  @Order(3)
  @DisplayName("3. rollback brings back what was, and the journey goes on")
  void a_rollback_brings_back_what_was() throws Exception {
    follows(2);
    try (Background load = ask()) {
      release.rollback(1);
      assertNoneLost(load);
    }
    assertThat(operator().getSpec().getReplicas()).isEqualTo(1);
    assertThat(guardRails()).isNotEmpty();
    assertThat(podUids()).isEqualTo(pods);
    setReplicas(1);
    faq.awaitCondition("Ready", "True", Duration.ofSeconds(120));
    assertThat(faq.pods()).hasSize(1);
    passed = 3;
  }

  @Test
  @Order(4)
  @DisplayName("4. uninstall leaves journeys and their pods, which go on answering")
  void an_uninstall_leaves_journeys_serving() throws Exception {
    follows(3);
    pods = podUids();
    uninstalling = Instant.now();
    try (Background load = ask()) {
      release.uninstall();
      // Helm may be done before a dozen questions are asked; nobody operates from then on.
      assertNoneLost(load, client.ask("uninstalled", faq.podAddresses(), TWENTY, () -> false));
    }
    assertThat(releaseObjects()).as("what is left of the release").isEmpty();
    assertThat(journeys(NAMESPACE)).containsExactly("faq");
    assertThat(podUids()).isEqualTo(pods);
    passed = 4;
  }

  @Test
  @Order(5)
  @DisplayName(
      "5. installed again with Roles alone, it takes over where it was and is refused nothing")
  void it_takes_over_again_with_roles_alone() throws Exception {
    follows(4);
    installingAgain = Instant.now();
    release.install("watchNamespaces={" + NAMESPACE + "}", "announcePlans=false");
    setReplicas(2);
    faq.awaitCondition("Ready", "True", Duration.ofSeconds(240));
    assertThat(faq.pods()).hasSize(2);
    assertThat(podUids()).containsAll(pods);
    assertThat(cluster.client().rbac().clusterRoles().withName("ragjourney-operator").get())
        .isNull();
    List<AuditLog.Entry> requests = AuditLog.of(cluster).ofServiceAccounts(Cluster.SYSTEM);
    assertThat(requests).isNotEmpty();
    // Helm takes the rights away before the operator that would give its lease back has stopped.
    assertThat(requests)
        .filteredOn(
            entry ->
                entry.received().isBefore(uninstalling)
                    || entry.received().isAfter(installingAgain))
        .filteredOn(entry -> entry.code() == 401 || entry.code() == 403)
        .isEmpty();
    passed = 5;
  }

  /** The API server takes a new policy up within a second or two. */
  private void assertThatALargerBudgetIsRefused() {
    await("the guard rails are up")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              Cluster.Ended larger =
                  cluster.tryKubectl(
                      "apply",
                      "--server-side",
                      "--dry-run=server",
                      "--namespace=" + NAMESPACE,
                      "--filename=src/test/resources/e2e/large-budget.yaml");
              assertThat(larger.code()).as(larger.output()).isNotZero();
              assertThat(larger.errors())
                  .contains(
                      "spec.budget.total is 30s; in namespace "
                          + NAMESPACE
                          + " it may be at most 20s");
            });
  }

  private void follows(int step) {
    assertThat(passed).as("the last step that passed").isEqualTo(step);
  }

  private Background ask() {
    return client.askUntilStopped("Helm at work", faq.podAddresses(), new Arrivals(3000, 10, 51));
  }

  private static void assertNoneLost(Background load, LoadReport... more) {
    List<Reply> replies = new ArrayList<>(load.stop().replies());
    for (LoadReport report : more) {
      replies.addAll(report.replies());
    }
    System.out.println(new LoadReport("Helm at work", replies));
    assertThat(replies).hasSizeGreaterThan(10).allMatch(Reply::answered);
  }

  /** As an older release would have left it. */
  private void forgetAColumn() throws IOException {
    int column = columns().indexOf("DEGRADED");
    assertThat(column).isNotNegative();
    cluster.kubectl(
        "patch",
        "crd",
        CRD,
        "--type=json",
        "--patch=[{\"op\": \"remove\", \"path\":"
            + " \"/spec/versions/0/additionalPrinterColumns/%d\"}]".formatted(column));
    assertThat(columns()).doesNotContain("DEGRADED");
  }

  private List<String> columns() {
    return cluster
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(CRD)
        .get()
        .getSpec()
        .getVersions()
        .getFirst()
        .getAdditionalPrinterColumns()
        .stream()
        .map(column -> column.getName())
        .toList();
  }

  private void setReplicas(int replicas) throws IOException {
    cluster.kubectl(
        "--namespace=" + NAMESPACE,
        "patch",
        "rj",
        "faq",
        "--type=merge",
        "--patch={\"spec\":{\"workload\":{\"replicas\":" + replicas + "}}}");
    faq.awaitObserved(Duration.ofSeconds(60));
  }

  private Deployment operator() {
    return cluster
        .client()
        .apps()
        .deployments()
        .inNamespace(Cluster.SYSTEM)
        .withName("ragjourney-operator")
        .get();
  }

  private String guardRails() throws IOException {
    return cluster
        .kubectl("get", "validatingadmissionpolicy", "--output=name", "--ignore-not-found")
        .strip();
  }

  private List<String> podUids() {
    return faq.pods().stream().map(Pod::getMetadata).map(each -> each.getUid()).sorted().toList();
  }

  private List<String> journeys(String namespace) throws IOException {
    return cluster
        .kubectl("get", "rj", "--namespace=" + namespace, "--output=name")
        .lines()
        .map(line -> line.substring(line.indexOf('/') + 1))
        .toList();
  }

  private List<String> releaseObjects() {
    var in = cluster.client();
    return Stream.of(
            in.apps().deployments().inNamespace(Cluster.SYSTEM),
            in.rbac().clusterRoles(),
            in.rbac().clusterRoleBindings(),
            in.rbac().roles().inNamespace(Cluster.SYSTEM),
            in.rbac().roleBindings().inNamespace(Cluster.SYSTEM),
            in.serviceAccounts().inNamespace(Cluster.SYSTEM))
        .flatMap(
            kind ->
                kind
                    .withLabel("app.kubernetes.io/instance", "ragjourney")
                    .withLabel("app.kubernetes.io/managed-by", "Helm")
                    .list()
                    .getItems()
                    .stream())
        .map(HasMetadata.class::cast)
        .map(each -> each.getKind() + "/" + each.getMetadata().getName())
        .toList();
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster == null) {
      return;
    }
    try {
      cluster.show("chart-events.txt", "get", "events", "--namespace=" + Cluster.SYSTEM);
      cluster.keepLogs(Cluster.SYSTEM);
    } finally {
      cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=false", "--ignore-not-found");
      if (release != null) {
        release.uninstall();
      }
      if (client != null) {
        client.close();
      }
      cluster.close();
    }
  }
}
