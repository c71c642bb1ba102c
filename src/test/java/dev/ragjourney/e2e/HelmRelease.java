package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The chart as one release on the cluster, by the command helm. */
record HelmRelease(Cluster cluster, String helm, String name, String namespace) {
  private static final String CHART = "charts/ragjourney";

  static HelmRelease of(Cluster cluster, String name, String namespace) throws IOException {
    String helm = Cluster.run(List.of("src/test/cluster/helm/build")).strip();
    return new HelmRelease(cluster, helm, name, namespace);
  }

  /**
   * Takes over what others have put there under the same names.
   *
   * @param settings like {@code replicas=2}
   */
  void install(String... settings) throws IOException {
    run(
        with(
            settings,
            "install",
            name,
            CHART,
            "--create-namespace",
            "--take-ownership",
            "--wait",
            "--timeout=170s"));
  }

  void upgrade(String... settings) throws IOException {
    run(with(settings, "upgrade", name, CHART, "--reset-values", "--wait", "--timeout=170s"));
  }

  void rollback(int revision) throws IOException {
    run(List.of("rollback", name, Integer.toString(revision), "--wait", "--timeout=170s"));
  }

  /** What the test's pod printed. */
  String test() throws IOException {
    return run(List.of("test", name, "--timeout=170s"));
  }

  void uninstall() throws IOException {
    run(List.of("uninstall", name, "--wait", "--ignore-not-found"));
  }

  private String run(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(helm, "--kubeconfig=" + cluster.kubeconfig(), "--namespace=" + namespace));
    command.addAll(arguments);
    Cluster.Ended ended = Cluster.ended(command);
    assertThat(ended.code()).as("%s: %s%s", arguments, ended.errors(), ended.output()).isZero();
    return ended.output() + ended.errors();
  }

  private static List<String> with(String[] settings, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    for (String setting : settings) {
      all.add("--set=" + setting);
    }
    return all;
  }
}
