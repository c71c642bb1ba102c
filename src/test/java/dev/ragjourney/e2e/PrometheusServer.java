package dev.ragjourney.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Debian's Prometheus on the node's address, scraping the pods of journeys. */
final class PrometheusServer implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path home;
  private final String address;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ScheduledExecutorService discovery = Executors.newSingleThreadScheduledExecutor();
  private @Nullable Process process;

  PrometheusServer(Cluster cluster) throws IOException {
    home = Files.createTempDirectory("prometheus");
    String host = cluster.nodeAddress();
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      address = host + ":" + free.getLocalPort();
    }
    Files.copy(Path.of("src/test/resources/e2e/prometheus.yml"), home.resolve("prometheus.yml"));
    discovery.scheduleWithFixedDelay(
        () -> {
          try {
            discover(cluster);
          } catch (KubernetesClientException | UncheckedIOException e) {
            System.err.println("discovery, tried again in a second: " + e);
          }
        },
        0,
        1,
        TimeUnit.SECONDS);
  }

  /** Writes where the admin ports of all running journey pods are, whole or not at all. */
  private void discover(Cluster cluster) {
    ArrayNode targets = JSON.createArrayNode();
    for (Pod pod :
        cluster.client().pods().inAnyNamespace().withLabel(Journey.LABEL).list().getItems()) {
      if (pod.getStatus().getPodIP() != null && "Running".equals(pod.getStatus().getPhase())) {
        ObjectNode target = targets.addObject();
        target.putArray("targets").add(Journey.address(pod, "admin").getAuthority());
        target
            .putObject("labels")
            .put("namespace", pod.getMetadata().getNamespace())
            .put("pod", pod.getMetadata().getName());
      }
    }
    try {
      Path next = home.resolve("targets.next");
      Files.writeString(next, targets.toString());
      Files.move(next, home.resolve("targets.json"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI url() {
    return URI.create("http://" + address);
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + home.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.listen-address=" + address)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(Cluster.OUTPUT.resolve("prometheus.log").toFile()))
            .start();
    await("Prometheus is ready")
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> get("/-/ready").statusCode() == 200);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(url().resolve(path)).timeout(Duration.ofSeconds(5)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  void stop() {
    if (process != null) {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      process = null;
    }
  }

  @Override
  public void close() {
    discovery.shutdownNow();
    stop();
    http.close();
  }
}
