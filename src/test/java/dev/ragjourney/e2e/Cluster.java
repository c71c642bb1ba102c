package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The cluster that {@code src/test/cluster/up node} started, as a user with kubectl sees it. */
final class Cluster implements AutoCloseable {
  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("test")
          .withForce(true)
          .build();

  /** What containerd puts before a name without a registry. */
  private static final String LIBRARY = "docker.io/library/";

  static final String SYSTEM = "ragjourney-system";

  /** For people to read afterwards. */
  static final Path OUTPUT = Path.of("target/e2e");

  private final Path kubeconfig;
  private final String kubectl;
  private final KubernetesClient client;

  private Cluster(Path kubeconfig, String kubectl) {
    this.kubeconfig = kubeconfig;
    this.kubectl = kubectl;
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .build();
  }

  /** A client that takes the first answer, a refusal too; the other one asks again and again. */
  KubernetesClient impatientClient() {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  static Cluster connect() throws IOException {
    String path = System.getenv("RAGJOURNEY_TEST_KUBECONFIG");
    assertThat(path).as("RAGJOURNEY_TEST_KUBECONFIG; see src/test/cluster/README.md").isNotNull();
    return connect(Path.of(path));
  }

  static Cluster connect(Path kubeconfig) throws IOException {
    Files.createDirectories(OUTPUT);
    String binaries = run(List.of("src/test/cluster/build")).strip();
    return new Cluster(kubeconfig, binaries + "/kubectl");
  }

  KubernetesClient client() {
    return client;
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  /** The node's address, which pods reach as well. */
  String nodeAddress() {
    return client.nodes().list().getItems().getFirst().getStatus().getAddresses().stream()
        .filter(address -> address.getType().equals("InternalIP"))
        .findFirst()
        .orElseThrow()
        .getAddress();
  }

  /** Puts the operator on the cluster, or leaves the one that is there. */
  void runOperator() throws IOException {
    applyOperator();
    awaitOperator();
  }

  /** Puts the operator on the cluster, or the one that is there onto this Prometheus. */
  void runOperator(URI prometheus) throws IOException {
    applyOperator();
    operatorVariables("RAGJOURNEY_PROMETHEUS_URL=" + prometheus);
  }

  /**
   * Sets variables of the operator and waits until it runs with them.
   *
   * @param variables like {@code NAME=value}
   */
  void operatorVariables(String... variables) throws IOException {
    List<String> set =
        new ArrayList<>(List.of("--namespace=" + SYSTEM, "set", "env", "deployment", "--all"));
    set.addAll(List.of(variables));
    kubectl(set.toArray(String[]::new));
    awaitOperator();
  }

  private void applyOperator() throws IOException {
    // What Helm has applied before is taken over.
    kubectl("apply", "--server-side", "--force-conflicts", "--filename", "crds/");
    kubectl("apply", "--server-side", "--force-conflicts", "--filename", "examples/operator/");
  }

  void operatorReplicas(int replicas) throws IOException {
    kubectl("--namespace=" + SYSTEM, "scale", "deployment", "--all", "--replicas=" + replicas);
    awaitOperator();
  }

  void awaitOperator() throws IOException {
    kubectl("--namespace=" + SYSTEM, "rollout", "status", "deployment", "--timeout=150s");
  }

  /** A namespace that takes only pods of the strictest Pod Security level. */
  void namespace(String name) {
    apply(
        new NamespaceBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
            .endMetadata()
            .build());
  }

  /** The same, after one of that name that is going away has gone. */
  void freshNamespace(String name) {
    Namespace before = client.namespaces().withName(name).get();
    if (before != null && before.getMetadata().getDeletionTimestamp() != null) {
      await("namespace " + name + " is gone")
          .atMost(Duration.ofSeconds(120))
          .until(() -> client.namespaces().withName(name).get() == null);
    }
    namespace(name);
  }

  void apply(HasMetadata object) {
    client.resource(object).patch(APPLY);
  }

  /**
   * Puts the Prometheus operator's own definitions on the cluster.
   *
   * @return where they are
   */
  Path monitoringKinds() throws IOException {
    Path folder =
        Path.of(run(List.of("src/test/cluster/addons/build")).strip()).resolve("monitoring");
    kubectl("apply", "--server-side", "--force-conflicts", "--filename", folder.toString());
    kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
    return folder;
  }

  /** A second name of an image that the node has. */
  void alsoKnownAs(String image, String name) throws IOException {
    ctr("images", "tag", "--force", LIBRARY + image, LIBRARY + name);
  }

  /** Those that the node has, by the names that pods use. */
  List<String> images() throws IOException {
    return ctr("images", "list", "--quiet")
        .lines()
        .map(name -> name.startsWith(LIBRARY) ? name.substring(LIBRARY.length()) : name)
        .toList();
  }

  /** Asks the node's containers without asking the cluster. */
  String ctr(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "ctr",
                "--address=" + kubeconfig.resolveSibling("containerd.sock"),
                "--namespace=k8s.io"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** What pods mount is as it should be at once and not within a minute: the kubelet's habit. */
  void refreshMounts(Journey journey) throws IOException {
    kubectl(
        "--namespace=" + journey.namespace(),
        "annotate",
        "pods",
        "--overwrite",
        "--selector=" + Journey.LABEL + "=" + journey.name(),
        "example.com/refreshed=" + System.nanoTime());
  }

  void apply(Path manifest, String namespace) throws IOException {
    kubectl("apply", "--server-side", "--namespace", namespace, "--filename", manifest.toString());
  }

  String kubectl(String... arguments) throws IOException {
    return run(kubectlCommand(arguments));
  }

  /** Keeps what kubectl shows in {@link #OUTPUT}. */
  String show(String file, String... arguments) throws IOException {
    String shown = kubectl(arguments);
    Files.writeString(
        OUTPUT.resolve(file), "$ kubectl " + String.join(" ", arguments) + "\n" + shown);
    return shown;
  }

  /** For the log and for people. */
  static void report(String line) throws IOException {
    System.out.println(line);
    Files.writeString(
        OUTPUT.resolve("report.txt"),
        line + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Closes what was opened, the rest too where one fails. */
  static void closeAll(@Nullable AutoCloseable... opened) {
    for (AutoCloseable each : opened) {
      if (each != null) {
        try {
          each.close();
        } catch (Exception e) {
          System.err.println("closing: " + e);
        }
      }
    }
  }

  /** The logs of every pod of a namespace. */
  void keepLogs(String namespace) throws IOException {
    for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
      String name = pod.getMetadata().getName();
      // One that has not started yet has none.
      Ended log = tryKubectl("logs", "--namespace=" + namespace, name);
      Files.writeString(OUTPUT.resolve("log-" + name + ".txt"), log.output() + log.errors());
    }
  }

  static String run(List<String> command) throws IOException {
    Ended ended = ended(command);
    assertThat(ended.code()).as("%s: %s", command, ended.errors()).isZero();
    return ended.output();
  }

  /** What a command said, whatever its exit code. */
  record Ended(int code, String output, String errors) {}

  Ended tryKubectl(String... arguments) throws IOException {
    return ended(kubectlCommand(arguments));
  }

  private List<String> kubectlCommand(String... arguments) {
    List<String> command = new ArrayList<>(List.of(kubectl, "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  static Ended ended(List<String> command) throws IOException {
    File errors = File.createTempFile("command", ".err");
    try {
      Process process = new ProcessBuilder(command).redirectError(errors).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("%s ended", command).isTrue();
      return new Ended(process.exitValue(), output, Files.readString(errors.toPath()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      Files.delete(errors.toPath());
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
