package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The scripted backend as a pod behind the Service {@code scripted}. */
final class ScriptedPod implements AutoCloseable {
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
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(control)
                .POST(HttpRequest.BodyPublishers.ofString(law.json()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  @Override
  public void close() {
    http.close();
  }
}
