package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The scripted backend as a pod behind the Service {@code scripted}. */
final class ScriptedPod implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI control;

  private ScriptedPod(URI control) {
    this.control = control;
  }

  static ScriptedPod start(Cluster cluster, String namespace) throws IOException {
    cluster.apply(Path.of("src/test/resources/e2e/scripted.yaml"), namespace);
    Pod pod =
        cluster
            .client()
            .pods()
            .inNamespace(namespace)
            .withLabel("app", "scripted")
            .waitUntilReady(60, TimeUnit.SECONDS);
    return new ScriptedPod(Journey.address(pod, "http").resolve("/script"));
  }

  /**
   * What one route does.
   *
   * @param medianMs of a lognormal law, milliseconds
   * @param sigma of its logarithm: p95 = median × e^(1.645 sigma)
   * @param hangs the share of requests that get no answer, 0…1
   */
  record Law(String route, double medianMs, double sigma, double hangs) {
    Law hanging() {
      return new Law(route, medianMs, sigma, 1);
    }

    private String json() {
      return String.format(
          Locale.ROOT,
          "{\"route\":\"%s\",\"delayMs\":%s,\"sigma\":%s,\"seed\":7,"
              + "\"faults\":[{\"kind\":\"HANG_BEFORE_HEADERS\",\"share\":%s}]}",
          route,
          medianMs,
          sigma,
          hangs);
    }
  }

  /** Puts a law in force from its first draw on: the same sequence of delays each time. */
  void follow(Law law) throws IOException, InterruptedException {
    script(law.json());
  }

  /**
   * @param json a behaviour with its route, or an array of them, as {@code POST /script} takes it
   */
  void script(String json) throws IOException, InterruptedException {
    HttpResponse<String> response =
        send(HttpRequest.newBuilder(control).POST(HttpRequest.BodyPublishers.ofString(json)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  /** Every route is plain again; what was seen is forgotten. */
  void reset() throws IOException, InterruptedException {
    assertThat(send(HttpRequest.newBuilder(control).DELETE()).statusCode()).isEqualTo(200);
  }

  /** Requests of a path so far. */
  long requests(String path) throws IOException, InterruptedException {
    return seen().path("requests").path(path).asLong();
  }

  /**
   * Requests of a path that ended like this so far.
   *
   * @param ending {@code OPEN}, {@code ANSWERED}, {@code CLOSED_BY_CLIENT} or {@code
   *     BROKEN_BY_SERVER}
   */
  long requests(String path, String ending) throws IOException, InterruptedException {
    return seen().path("endings").path(path).path(ending).asLong();
  }

  /** What was seen, as {@code GET /script} tells it. */
  JsonNode seen() throws IOException, InterruptedException {
    return JSON.readTree(send(HttpRequest.newBuilder(control)).body());
  }

  /** The body of the latest request of a path. */
  String lastBody(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        send(HttpRequest.newBuilder(URI.create(control + "/last" + path)));
    assertThat(response.statusCode()).as("a request of %s", path).isEqualTo(200);
    return response.body();
  }

  /** A header of the latest request of a path; empty where it had none of that name. */
  String lastHeader(String path, String name) throws IOException, InterruptedException {
    HttpResponse<String> response =
        send(HttpRequest.newBuilder(URI.create(control + "/headers" + path)));
    assertThat(response.statusCode()).as("a request of %s", path).isEqualTo(200);
    return JSON.readTree(response.body()).path(name).asText();
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(
        request.timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    http.close();
  }
}
