package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The operator's log as whoever may forward a port of its pod changes it. */
@DisplayName("The operator's log level changes while it runs, for who may forward its port alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogLevelClusterE2E {
  private static final int PORT = 8082;
  private static final String NAMESPACE = "quiet";

  private Cluster cluster;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    cluster.runOperator();
  }

  @Test
  @DisplayName("a forwarded port shows and sets it; the log follows; other pods cannot reach it")
  void a_forwarded_port_sets_the_log_level() throws Exception {
    Pod pod =
        cluster.client().pods().inNamespace(Cluster.SYSTEM).list().getItems().stream()
            .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
            .findFirst()
            .orElseThrow();
    PodResource operator = cluster.client().pods().resource(pod);
    try (HttpClient http = HttpClient.newHttpClient();
        LocalPortForward forwarded = operator.portForward(PORT)) {
      URI page = URI.create("http://127.0.0.1:" + forwarded.getLocalPort() + "/loglevel");
      assertThat(http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body())
          .contains("INFO");
      assertThat(set(http, page, "DEBUG")).isEqualTo(200);
      try {
        cluster.freshNamespace(NAMESPACE);
        cluster.apply(Path.of("src/test/resources/e2e/quiet.yaml"), NAMESPACE);
        await("the log tells more")
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(operator.getLog()).contains("\"level\":\"DEBUG\""));
      } finally {
        assertThat(set(http, page, "INFO")).isEqualTo(200);
      }
      URI fromOutside =
          URI.create("http://" + pod.getStatus().getPodIP() + ":" + PORT + "/loglevel");
      assertThat(
              catchThrowable(
                  () ->
                      http.send(
                          HttpRequest.newBuilder(fromOutside).build(), BodyHandlers.discarding())))
          .isInstanceOf(IOException.class);
    }
  }

  private static int set(HttpClient http, URI page, String level) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(page)
            .PUT(
                BodyPublishers.ofString(
                    "{\"logger\": \"dev.ragjourney\", \"level\": \"" + level + "\"}"))
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.kubectl("delete", "rj", "--all", "--namespace=" + NAMESPACE);
    }
    Cluster.closeAll(cluster);
  }
}
