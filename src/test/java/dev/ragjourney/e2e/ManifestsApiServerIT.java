package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A real API server takes what the project ships")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestsApiServerIT {
  private static final String OPERATOR =
      "--as=system:serviceaccount:ragjourney-system:ragjourney-operator";

  private Cluster cluster;

  @BeforeAll
  void apply_crds_and_operator() throws IOException {
    cluster = Cluster.connect();
    assertThat(
            cluster.tryKubectl(
                "apply", "--server-side", "--force-conflicts", "--filename", "crds/"))
        .satisfies(ended -> assertThat(ended.code()).as(ended.errors()).isZero())
        .satisfies(ended -> assertThat(ended.errors()).doesNotContain("Warning"));
    cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
    cluster.kubectl(
        "apply", "--server-side", "--force-conflicts", "--filename", "examples/operator/");
    cluster.namespace("default");
  }

  /** What others read, controllers, Kustomize and simulations, is not for this server. */
  private static final Pattern FOR_OTHERS =
      Pattern.compile(
          "examples/(argocd|flux|kustomize|scenarios)/.*|examples/routing/httproute.yaml");

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("examples"))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !FOR_OTHERS.matcher(file.toString()).matches())
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest(name = "{0} is admitted by the strictest validation without a warning")
  @MethodSource("examples")
  void examples_are_admitted_without_a_warning(Path file) throws IOException {
    Cluster.Ended ended =
        cluster.tryKubectl(
            "apply",
            "--server-side",
            "--dry-run=server",
            "--validate=strict",
            "--filename",
            file.toString());
    assertThat(ended.code()).as(ended.errors()).isZero();
    assertThat(ended.errors()).doesNotContain("Warning");
  }

  @Test
  void the_kustomize_overlay_names_the_documents_it_makes_and_is_admitted() throws IOException {
    cluster.namespace("shop");
    String made = cluster.kubectl("kustomize", "examples/kustomize/overlays/production");
    assertThat(made)
        .containsPattern("(?s)kind: ConfigMap.*name: (handbook-documents-\\w+).*name: \\1\n")
        .contains("total: 2s");
    Cluster.Ended ended =
        cluster.tryKubectl(
            "apply",
            "--server-side",
            "--dry-run=server",
            "--validate=strict",
            "--kustomize",
            "examples/kustomize/overlays/production");
    assertThat(ended.code()).as(ended.errors()).isZero();
    assertThat(ended.errors()).doesNotContain("Warning");
  }

  @ParameterizedTest(name = "the operator may {0} {1}: {2}")
  @CsvSource({
    "list, ragjourneys.ragjourney.dev, yes",
    "watch, ragjourneys.ragjourney.dev, yes",
    "patch, ragjourneys.ragjourney.dev/status, yes",
    "patch, deployments.apps, yes",
    "patch, configmaps, yes",
    "patch, services, yes",
    "patch, serviceaccounts, yes",
    "delete, configmaps, yes",
    "delete, serviceaccounts, yes",
    "patch, poddisruptionbudgets.policy, yes",
    "delete, horizontalpodautoscalers.autoscaling, yes",
    "watch, networkpolicies.networking.k8s.io, yes",
    "list, pods, yes",
    "delete, poddisruptionbudgets.policy, no",
    "delete, horizontalpodautoscalers.autoscaling, yes",
    "delete, networkpolicies.networking.k8s.io, yes",
    "patch, ragjourneys.ragjourney.dev, no",
    "delete, ragjourneys.ragjourney.dev, no",
    "create, pods, no",
    "create, pods/exec, no",
    "get, secrets, no",
    "list, secrets, no",
    "watch, secrets, no",
    "delete, deployments.apps, no",
    "delete, services, no",
    "create, clusterroles.rbac.authorization.k8s.io, no",
    "delete, nodes, no",
  })
  void the_operator_has_the_rights_it_needs_and_no_more(String verb, String resource, String may)
      throws IOException {
    String[] parts = resource.split("/", 2);
    Cluster.Ended ended =
        parts.length == 1
            ? cluster.tryKubectl("auth", "can-i", verb, resource, "-n", "default", OPERATOR)
            : cluster.tryKubectl(
                "auth",
                "can-i",
                verb,
                parts[0],
                "--subresource=" + parts[1],
                "-n",
                "default",
                OPERATOR);
    assertThat(ended.output().strip()).as(ended.errors()).isEqualTo(may);
  }

  @Test
  void a_spec_that_breaks_a_rule_is_refused_with_a_sentence() throws IOException {
    Path bad = Files.createTempFile("bad", ".yaml");
    Files.writeString(
        bad,
        Files.readString(Path.of("src/test/resources/e2e/support.yaml"))
            .replace("backend: reranker}", "backend: nobody}"));
    Cluster.Ended ended =
        cluster.tryKubectl("apply", "--server-side", "--dry-run=server", "-f", bad.toString());
    assertThat(ended.code()).isNotZero();
    assertThat(ended.errors()).contains("backend");
  }

  @AfterAll
  void stop() {
    cluster.close();
  }
}
