package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.chart.HelmChart;
import dev.ragjourney.operator.JourneyOperator;
import dev.ragjourney.operator.OperatorMetrics;
import dev.ragjourney.operator.OperatorSettings;
import dev.ragjourney.prometheus.NotConfigured;
import dev.ragjourney.support.kubernetes.ReadyPods;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The real operator with the service account's own token: it makes, changes and removes every kind
 * of object and elects itself. The audit log has no refusal, and every verb of the rules. Kinds of
 * the Prometheus operator are its own: what is applied with a field that they lack is refused.
 */
@DisplayName("What the chart grants is enough for the operator, and nothing of it is unused")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrantedRightsApiServerIT {
  private static final String NAMESPACE = "granted-shop";

  /** Where the operator works and where it elects itself; cluster-wide requests have none. */
  private static final Set<String> OWN = Set.of(NAMESPACE, HelmChart.NAMESPACE, "");

  private static final String KINDS =
      "configmap,deployment,service,serviceaccount,poddisruptionbudget,horizontalpodautoscaler,"
          + "networkpolicy,podmonitor,prometheusrule";
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final String JOURNEY =
      """
      apiVersion: ragjourney.dev/v1alpha1
      kind: RagJourney
      metadata: {name: %s, namespace: granted-shop}
      spec:
        budget: {total: %s}
        documents: {configMap: {name: %s}}
        workload: %s
        monitoring: %s
      """;
  private static final String WITH_ALL =
      "{networkPolicy: Managed, autoscaling: {minReplicas: 1, maxReplicas: 3}}";
  private static final String WITH_LESS = "{networkPolicy: None}";
  private static final String WITH_ANOTHER_ACCOUNT =
      "{networkPolicy: None, serviceAccount: {name: default}}";
  private static final String UNWATCHED = "{podMonitor: Never, rules: Never}";

  /** The framework refuses to start without it, and then renews the lease by patches. */
  private static final Set<String> ASKED_FOR_AND_UNUSED = Set.of("update leases");

  private final List<Path> applied = new ArrayList<>();
  private Cluster cluster;

  @BeforeAll
  void prepare() throws IOException {
    cluster = Cluster.connect();
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "--filename", "crds/");
    applied.add(cluster.monitoringKinds());
    cluster.namespace(HelmChart.NAMESPACE);
    cluster.namespace(NAMESPACE);
  }

  @ParameterizedTest(name = "with {0} and announcements {1}")
  @CsvSource({"everywhere, true", "namespaces, false"})
  void the_operator_is_refused_nothing_and_uses_all_of_it(String scope, boolean announce)
      throws Exception {
    String journey = "faq-" + scope;
    Set<String> namespaces = scope.equals("everywhere") ? Set.of() : Set.of(NAMESPACE);
    // Made anew by who leads first.
    cluster.kubectl(
        "delete", "lease", "--all", "--namespace=" + HelmChart.NAMESPACE, "--ignore-not-found");
    String values =
        """
        crds: {enabled: false}
        test: {enabled: false}
        replicas: 0
        fullnameOverride: granted-%s
        watchNamespaces: %s
        announcePlans: %s
        """
            .formatted(scope, namespaces, announce);
    apply(HelmChart.text(values));
    String account = "granted-" + scope + "-operator";
    OperatorSettings settings =
        new OperatorSettings(
            "ragjourney:local",
            5,
            namespaces,
            announce,
            Duration.ofSeconds(1),
            HelmChart.NAMESPACE);
    try (KubernetesClient client = client(account);
        ReadyPods _ = new ReadyPods(cluster.client(), NAMESPACE)) {
      JourneyOperator operator =
          new JourneyOperator(
              client,
              new NotConfigured(),
              settings,
              new OperatorMetrics(new CollectorRegistry()),
              Clock.systemUTC());
      try (operator) {
        Thread.ofVirtual().start(() -> operator.start(() -> {}));
        apply(JOURNEY.formatted(journey, "3s", "d", WITH_ALL, "{}"));
        awaitKinds(journey, 9);
        apply(JOURNEY.formatted(journey, "4s", "d", WITH_LESS, "{}"));
        awaitKinds(journey, 7);
        // Other documents are another plan, which replaces the one before it.
        apply(JOURNEY.formatted(journey, "4s", "e", WITH_ANOTHER_ACCOUNT, UNWATCHED));
        awaitKinds(journey, 4);
        awaitObserved(journey);
        awaitOnePlan(journey);
        // Said again, an event is patched.
        apply(JOURNEY.formatted(journey, "5s", "d", WITH_ANOTHER_ACCOUNT, UNWATCHED));
        awaitObserved(journey);
        awaitOnePlan(journey);
        cluster.kubectl("delete", "rj", journey, "--namespace=" + NAMESPACE);
      }
    }
    List<AuditLog.Entry> requests =
        AuditLog.of(cluster).ofServiceAccounts(HelmChart.NAMESPACE).stream()
            .filter(entry -> entry.user().endsWith(":" + account))
            .toList();
    // Journeys that other tests left are in namespaces that are being deleted.
    assertThat(requests)
        .filteredOn(entry -> OWN.contains(entry.namespace()))
        .filteredOn(Rights::refused)
        .isEmpty();
    Set<String> unused = Rights.granted(values);
    unused.removeAll(Rights.used(requests));
    assertThat(unused).as("granted and never used").isEqualTo(ASKED_FOR_AND_UNUSED);
  }

  /** The pods rolled, and the plan of those before is gone. */
  private void awaitOnePlan(String journey) {
    await("one plan of " + journey)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .client()
                            .configMaps()
                            .inNamespace(NAMESPACE)
                            .withLabel(Journey.LABEL, journey)
                            .list()
                            .getItems())
                    .hasSize(1));
  }

  private void awaitKinds(String journey, int number) {
    await(number + " kinds of objects")
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(300))
        .untilAsserted(
            () -> {
              Set<String> kinds = new TreeSet<>();
              cluster
                  .kubectl(
                      "get",
                      KINDS,
                      "--namespace=" + NAMESPACE,
                      "--selector=" + Journey.LABEL + "=" + journey,
                      "--output=name")
                  .lines()
                  .forEach(line -> kinds.add(line.substring(0, line.indexOf('/'))));
              assertThat(kinds).hasSize(number);
            });
  }

  private void awaitObserved(String journey) {
    new Journey(cluster, NAMESPACE, journey).awaitObserved(SOON);
  }

  private KubernetesClient client(String account) throws IOException {
    Config admin = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    String token =
        cluster.kubectl("create", "token", account, "--namespace=" + HelmChart.NAMESPACE).strip();
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty())
                .withMasterUrl(admin.getMasterUrl())
                .withCaCertData(admin.getCaCertData())
                .withOauthToken(token)
                .build())
        .build();
  }

  private void apply(String manifest) throws IOException {
    Path file = Files.createTempFile("granted", ".yaml");
    Files.writeString(file, manifest);
    applied.add(file);
    cluster.kubectl(
        "apply",
        "--server-side",
        "--force-conflicts",
        "--validate=strict",
        "--filename",
        file.toString());
  }

  @AfterAll
  void remove() throws IOException {
    for (Path file : applied.reversed()) {
      cluster.kubectl(
          "delete", "--wait=false", "--ignore-not-found", "--filename", file.toString());
    }
    cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=false", "--ignore-not-found");
    cluster.close();
  }
}
