package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.chart.HelmChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two installations of the chart on one real API server: one that watches two namespaces, may not
 * patch pods and has all that the Prometheus operator reads, and guard rails.
 */
@DisplayName("A real API server holds to what the chart says")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartApiServerIT {
  private static final String NAMESPACED =
      """
      crds: {enabled: false}
      test: {enabled: false}
      watchNamespaces: [rails-shop, rails-help]
      announcePlans: false
      podMonitor: {enabled: true, pipelines: true, labels: {release: prometheus}}
      alerts: {enabled: true, everyJourney: true, labels: {release: prometheus}}
      dashboards: {enabled: true}
      """;
  private static final String GUARDED =
      """
      crds: {enabled: false}
      test: {enabled: false}
      fullnameOverride: rails
      serviceAccount: {create: false}
      admission:
        enabled: true
        maxBudget: 5s
        allowedBackends: ["https://llm.example.com/v1", "http://tei.models.svc:8080/"]
        namespaceSelector: {matchLabels: {rails: "on"}}
      """;
  private static final String OPERATOR =
      "--as=system:serviceaccount:%s:ragjourney-operator".formatted(HelmChart.NAMESPACE);

  private final List<Path> applied = new ArrayList<>();
  private Cluster cluster;

  @BeforeAll
  void install() throws IOException {
    cluster = Cluster.connect();
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "--filename", "crds/");
    applied.add(cluster.monitoringKinds());
    for (String namespace :
        new String[] {HelmChart.NAMESPACE, "rails-shop", "rails-help", "rails-other"}) {
      cluster.namespace(namespace);
    }
    cluster.kubectl("label", "namespace", "rails-shop", "rails-help", "rails=on", "--overwrite");
    // A pod below the restricted standard in what is applied is a warning from now on.
    cluster.kubectl(
        "label",
        "namespace",
        HelmChart.NAMESPACE,
        "pod-security.kubernetes.io/warn=restricted",
        "--overwrite");
    cluster.kubectl(
        "annotate",
        "namespace",
        "rails-help",
        "--overwrite",
        "ragjourney.dev/max-budget=2s",
        "ragjourney.dev/allowed-backends=https://help.example.com, http://local.svc");
    // What another test gave this account in the whole cluster is not what this one is about.
    cluster.kubectl("delete", "clusterrolebinding", "ragjourney-operator", "--ignore-not-found");
    apply(HelmChart.text(NAMESPACED));
    apply(HelmChart.text(GUARDED));
    await("the guard rails are up")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> journey("rails-shop", "6s", "").code() != 0);
  }

  private void apply(String manifest) throws IOException {
    Path file = Files.createTempFile("chart", ".yaml");
    Files.writeString(file, manifest);
    applied.add(file);
    Cluster.Ended ended =
        cluster.tryKubectl(
            "apply",
            "--server-side",
            "--force-conflicts",
            "--validate=strict",
            "--filename",
            file.toString());
    assertThat(ended.code()).as(ended.errors()).isZero();
    assertThat(ended.errors()).doesNotContain("Warning");
  }

  @ParameterizedTest(name = "with Roles alone the operator may {0} {1} in {2}: {3}")
  @CsvSource({
    "watch, ragjourneys.ragjourney.dev, rails-shop, yes",
    "patch, deployments.apps, rails-shop, yes",
    "delete, poddisruptionbudgets.policy, rails-shop, no",
    "create, networkpolicies.networking.k8s.io, rails-help, yes",
    "list, pods, rails-help, yes",
    "patch, pods, rails-help, no",
    "list, secrets, rails-shop, no",
    "get, secrets, rails-shop, no",
    "watch, ragjourneys.ragjourney.dev, rails-other, no",
    "patch, deployments.apps, rails-other, no",
    "create, leases.coordination.k8s.io, ragjourney-system, yes",
    "create, leases.coordination.k8s.io, rails-shop, no",
    "patch, deployments.apps, ragjourney-system, no",
  })
  void roles_alone_give_what_is_needed_in_the_named_namespaces_only(
      String verb, String resource, String namespace, String may) throws IOException {
    Cluster.Ended ended =
        cluster.tryKubectl("auth", "can-i", verb, resource, "-n", namespace, OPERATOR);
    assertThat(ended.output().strip()).as(ended.errors()).isEqualTo(may);
  }

  @ParameterizedTest(name = "who may {0} in a namespace may {1} its journeys: {2}")
  @CsvSource({
    "view, get, yes",
    "view, create, no",
    "edit, get, yes",
    "edit, create, yes",
    "edit, patch, yes",
    "admin, delete, yes",
  })
  void the_clusters_own_roles_reach_journeys(String role, String verb, String may)
      throws IOException {
    cluster.kubectl(
        "apply",
        "--server-side",
        "--filename",
        Files.writeString(
                Files.createTempFile("binding", ".yaml"),
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: rails-%1$s, namespace: rails-shop}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: rails-%1$s}]
                """
                    .formatted(role))
            .toString());
    await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .tryKubectl(
                                "auth",
                                "can-i",
                                verb,
                                "ragjourneys.ragjourney.dev",
                                "-n",
                                "rails-shop",
                                "--as=rails-" + role)
                            .output()
                            .strip())
                    .isEqualTo(may));
  }

  @ParameterizedTest(name = "in {0} a budget of {1} and the backend {2}: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "rails-shop  | 5s      | https://llm.example.com/v1            | taken",
        "rails-shop  | 5s      | https://llm.example.com/v1/deep       | taken",
        "rails-shop  | 4s999ms | http://tei.models.svc:8080/           | taken",
        "rails-shop  | 5s      | ''                                    | taken",
        "rails-shop  | 5s1ms   | ''                                    | at most 5s",
        "rails-shop  | 1m      | ''                                    | at most 5s",
        "rails-shop  | 5s      | https://llm.example.com/v2            | allowed: https://llm.example.com/v1",
        "rails-shop  | 5s      | https://llm.example.com/v1evil        | allowed: https://llm.example.com/v1",
        "rails-shop  | 5s      | http://llm.example.com/v1             | allowed: https://llm.example.com/v1",
        "rails-shop  | 5s      | http://tei.models.svc.evil.test:8080/ | allowed: https://llm.example.com/v1",
        "rails-help  | 2s      | https://help.example.com/v1           | taken",
        "rails-help  | 2s      | http://local.svc                      | taken",
        "rails-help  | 3s      | ''                                    | at most 2s",
        "rails-help  | 2s      | https://llm.example.com/v1            | allowed: https://help.example.com",
        "rails-other | 1m      | https://anywhere.example.com/v1       | taken"
      })
  void guard_rails_hold_where_they_should(
      String namespace, String total, String url, String expected) throws IOException {
    Cluster.Ended ended = journey(namespace, total, url);

    if (expected.equals("taken")) {
      assertThat(ended.code()).as(ended.errors()).isZero();
    } else {
      assertThat(ended.code()).isNotZero();
      assertThat(ended.errors()).contains("rails").contains(expected);
    }
  }

  private Cluster.Ended journey(String namespace, String total, String url) throws IOException {
    String backends =
        url.isEmpty() ? "" : "  backends: [{name: llm, http: {url: \"%s\"}}]\n".formatted(url);
    Path file = Files.createTempFile("journey", ".yaml");
    Files.writeString(
        file,
        """
        apiVersion: ragjourney.dev/v1alpha1
        kind: RagJourney
        metadata: {name: guarded, namespace: %s}
        spec:
          budget: {total: %s}
          documents: {configMap: {name: d}}
        %s"""
            .formatted(namespace, total, backends));
    return cluster.tryKubectl(
        "apply", "--server-side", "--dry-run=server", "--filename", file.toString());
  }

  @AfterAll
  void remove() throws IOException {
    for (Path file : applied.reversed()) {
      cluster.kubectl(
          "delete", "--wait=false", "--ignore-not-found", "--filename", file.toString());
    }
    cluster.kubectl(
        "delete",
        "namespace",
        "rails-shop",
        "rails-help",
        "rails-other",
        "--wait=false",
        "--ignore-not-found");
    cluster.close();
  }
}
