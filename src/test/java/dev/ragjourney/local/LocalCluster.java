package dev.ragjourney.local;

import dev.ragjourney.support.kubernetes.EmbeddedApiServer;
import dev.ragjourney.support.prometheus.LocalPrometheus;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts everything on this machine: API server, operator, a miniature Prometheus, and the pods of
 * the handbook journey on the documents of {@code examples/documents}. Prints {@code ask:} and
 * {@code kubeconfig:} lines when it is ready, then what {@code kubectl get ragjourneys} shows.
 * Ctrl-C ends all of it.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Path DOCUMENTS = Path.of("examples", "documents");
  private static final String JOURNEY = "handbook";
  private static final List<String> QUESTIONS =
      List.of(
          "What is a latency budget?",
          "How much time does a stage get?",
          "What does degraded mean?",
          "Why is p95 better than the average?",
          "What is a fallback level?",
          "When is a stage skipped?");

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final Path directory;
  private final EmbeddedApiServer apiServer;
  private final KubernetesClient client;
  private final DemoReranker reranker;

  private LocalCluster() throws IOException {
    directory = Files.createTempDirectory("ragjourney-local-");
    open(() -> ConfigVolume.delete(directory));
    apiServer = open(EmbeddedApiServer.start());
    client = open(apiServer.client());
    reranker = open(new DemoReranker());
    LocalNode node = open(new LocalNode(client, directory));
    LocalPrometheus prometheus =
        open(
            LocalPrometheus.start(
                () -> node.adminPorts().stream().map(LocalCluster::target).toList(),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5)));
    Files.writeString(kubeconfig(), apiServer.kubeconfig());
    open(startOperator(prometheus.url().toString()));
  }

  public static void main(String[] args) throws Exception {
    LocalCluster cluster = new LocalCluster();
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stopped.countDown();
                  cluster.close();
                }));
    // A parent that is killed cannot pass Ctrl-C on: its end ends the cluster too.
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(0)));
    cluster.run(stopped);
  }

  private void run(CountDownLatch stopped) throws Exception {
    System.out.println("Starting. A first start takes a minute: pods load the embedding model.");
    applyDocuments();
    applyJourney();
    LiveView view = new LiveView(apiServer.url(), System.out);
    String endpoint = "";
    while (!stopped.await(1, TimeUnit.SECONDS)) {
      if (endpoint.isEmpty() && ready()) {
        endpoint = endpoint();
        announce(endpoint);
        open(new DemoTraffic(endpoint + "/v1/ask", QUESTIONS, 4));
      }
      view.show();
    }
  }

  private void announce(String endpoint) {
    System.out.printf(
        """

        ask: %s/v1/ask
        kubeconfig: %s

        Ask:      curl -s %s/v1/ask -H 'content-type: application/json' -d '{"question": "What is a latency budget?"}'
        Watch:    kubectl --kubeconfig %s get rj -o wide --watch
        Slow the reranker down, and watch LEVEL, DEGRADED and the caps:
                  curl -X POST '%s/slow?by=120ms'
        Fast again:
                  curl -X POST '%s/slow?by=0ms'
        Logs:     %s
        Four questions a second are asked by the cluster itself. Ctrl-C ends all of it.

        """,
        endpoint,
        kubeconfig(),
        endpoint,
        kubeconfig(),
        reranker.url(),
        reranker.url(),
        directory.resolve("logs"));
    System.out.flush();
  }

  private static LocalPrometheus.Target target(int adminPort) {
    return new LocalPrometheus.Target(
        URI.create("http://127.0.0.1:" + adminPort + "/metrics"),
        Map.of("instance", "127.0.0.1:" + adminPort));
  }

  private boolean ready() {
    GenericKubernetesResource journey = journey();
    List<?> conditions = journey == null ? List.of() : journey.get("status", "conditions");
    return conditions != null
        && conditions.stream()
            .anyMatch(
                condition ->
                    condition instanceof Map<?, ?> fields
                        && "Ready".equals(fields.get("type"))
                        && "True".equals(fields.get("status")));
  }

  private String endpoint() {
    GenericKubernetesResource journey = journey();
    String endpoint = journey == null ? null : journey.get("status", "endpoint");
    return endpoint == null || !endpoint.contains("127.0.0.1") ? "" : endpoint;
  }

  private GenericKubernetesResource journey() {
    return client
        .genericKubernetesResources("ragjourney.dev/v1alpha1", "RagJourney")
        .inNamespace("default")
        .withName(JOURNEY)
        .get();
  }

  private void applyDocuments() throws IOException {
    Map<String, String> documents = new HashMap<>();
    try (Stream<Path> files = Files.list(DOCUMENTS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        documents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("handbook-documents")
                .withNamespace("default")
                .endMetadata()
                .withData(documents)
                .build())
        .create();
  }

  private void applyJourney() throws IOException {
    try (var manifest = LocalCluster.class.getResourceAsStream("/local/handbook.yaml")) {
      String yaml =
          new String(manifest.readAllBytes(), StandardCharsets.UTF_8)
              .replace("RERANKER", reranker.url());
      client
          .genericKubernetesResources("ragjourney.dev/v1alpha1", "RagJourney")
          .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
          .create();
    }
  }

  /** The product's own operator, as a process of its own. */
  private AutoCloseable startOperator(String prometheusUrl) throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    ProcessBuilder builder =
        new ProcessBuilder(
            LocalPod.command(List.of("-Xmx256m"), LocalPod.PRODUCT, List.of("operator")));
    builder.environment().put("KUBECONFIG", kubeconfig().toString());
    builder.environment().put("RAGJOURNEY_PROMETHEUS_URL", prometheusUrl);
    builder.environment().put("RAGJOURNEY_OPERATOR_PORT", "0");
    builder.environment().put("RAGJOURNEY_IMAGE", "local");
    builder
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("logs").resolve("operator.log").toFile());
    Process operator = builder.start();
    return () -> {
      operator.destroy();
      if (!operator.waitFor(5, TimeUnit.SECONDS)) {
        operator.destroyForcibly();
      }
    };
  }

  private Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  private <T extends AutoCloseable> T open(T resource) {
    synchronized (opened) {
      opened.push(resource);
    }
    return resource;
  }

  /**
   * Ends everything in the reverse order of its start; one failure does not keep the rest alive.
   */
  @Override
  public void close() {
    synchronized (opened) {
      while (!opened.isEmpty()) {
        try {
          opened.pop().close();
        } catch (Exception e) {
          System.err.println("while stopping: " + e);
        }
      }
    }
  }
}
