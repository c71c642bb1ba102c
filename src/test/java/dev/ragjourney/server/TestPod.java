package dev.ragjourney.server;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.MountedPlan;
import dev.ragjourney.telemetry.PrometheusListener;
import dev.ragjourney.telemetry.Tracing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** A pod on ports of the machine's choice. */
final class TestPod implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  final MountedPlan mount;
  final PrometheusListener metrics = new PrometheusListener();
  final PlanStore plans;
  final PodServer server;
  private final PlanWatcher watcher;
  private final HttpClient client = HttpClient.newHttpClient();

  TestPod(Path directory, BackendFactory backends, JourneysOfMetrics journeys, int maxJourneys) {
    mount = new MountedPlan(directory);
    plans = new PlanStore(backends, metrics, InstantSource.system());
    watcher = new PlanWatcher(directory, plans, Duration.ofMillis(200), Duration.ofMillis(200));
    server =
        new PodServer(
            new PodServer.Settings("127.0.0.1", 0, 0, Duration.ofMillis(300)),
            new ConcurrencyLimit(maxJourneys, 1, MonotonicTime.system()),
            plans,
            journeys.of(metrics),
            metrics,
            new Tracing(null, InstantSource.system()),
            MonotonicTime.system(),
            InstantSource.system());
    server.start();
    watcher.start();
  }

  /** Journeys that report to the pod's metrics. */
  @FunctionalInterface
  interface JourneysOfMetrics {
    Journeys of(PrometheusListener metrics);
  }

  TestPod load(Plan plan) throws Exception {
    mount.write(plan);
    awaitRevision(plan.revision());
    return this;
  }

  void awaitRevision(long revision) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              Plan inForce = plans.status().plan();
              return inForce != null && inForce.revision() == revision;
            });
  }

  HttpResponse<String> ask(String body, String... headers) throws Exception {
    return send(request(body, headers));
  }

  HttpResponse<String> chat(String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri("/v1/chat/completions"))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer any")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return send((headers.length == 0 ? request : request.headers(headers)).build());
  }

  HttpRequest request(String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri("/v1/ask"))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return (headers.length == 0 ? request : request.headers(headers)).build();
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  HttpResponse<String> getAdmin(String path) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path))
            .build());
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  @Override
  public void close() {
    server.close();
    watcher.close();
    plans.close();
    client.close();
  }
}
