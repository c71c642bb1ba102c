package dev.ragjourney.e2e;

import static org.awaitility.Awaitility.await;

import dev.ragjourney.chart.HelmChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What the chart grants the operator, and nothing else: its service account with its roles, and a
 * kubeconfig with its token.
 */
record OperatorAccount(String name, Path kubeconfig) {
  private static final String TOKEN_LIFE = "--duration=24h";

  /** For an operator of the whole cluster, which elects itself. */
  static OperatorAccount install(Cluster cluster, String release) throws IOException {
    cluster.kubectl("apply", "--server-side", "--force-conflicts", "--filename", "crds/");
    await("the CRD is served")
        .atMost(Duration.ofSeconds(30))
        .until(() -> cluster.tryKubectl("get", "ragjourneys", "--all-namespaces").code() == 0);
    cluster.namespace(HelmChart.NAMESPACE);
    Path manifest = Files.createTempFile(release, ".yaml");
    Files.writeString(
        manifest,
        HelmChart.text(
            """
            crds: {enabled: false}
            test: {enabled: false}
            replicas: 0
            fullnameOverride: %s
            """
                .formatted(release)));
    cluster.kubectl(
        "apply", "--server-side", "--force-conflicts", "--filename", manifest.toString());
    Files.delete(manifest);
    return of(cluster, release + "-operator");
  }

  private static OperatorAccount of(Cluster cluster, String account) throws IOException {
    String token =
        cluster
            .kubectl("create", "token", account, "--namespace=" + HelmChart.NAMESPACE, TOKEN_LIFE)
            .strip();
    String admin = Files.readString(cluster.kubeconfig());
    Path kubeconfig = Files.createTempFile(account, ".kubeconfig");
    Files.writeString(kubeconfig, admin.replaceAll("token: [0-9a-f]+", "token: " + token));
    return new OperatorAccount(account, kubeconfig);
  }

  /** As the audit log names it. */
  String user() {
    return "system:serviceaccount:" + HelmChart.NAMESPACE + ":" + name;
  }
}
