package dev.ragjourney.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Debian's Prometheus on the node's address, scraping the pods of journeys. */
final class PrometheusServer implements AutoCloseable {
  private final Path home;
  private final String address;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Process process;

  PrometheusServer(Cluster cluster) throws IOException {
    home = Files.createTempDirectory("prometheus");
    String host = cluster.nodeAddress();
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      address = host + ":" + free.getLocalPort();
    }
    String settings = Files.readString(Path.of("src/test/resources/e2e/prometheus.yml"));
    Files.writeString(
        home.resolve("prometheus.yml"),
        settings.replace("KUBECONFIG", cluster.kubeconfig().toString()));
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

  /** The body of an instant query's answer. */
  String query(String expression) throws IOException, InterruptedException {
    return get("/api/v1/query?query="
            + java.net.URLEncoder.encode(expression, java.nio.charset.StandardCharsets.UTF_8))
        .body();
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
    stop();
    http.close();
  }
}
