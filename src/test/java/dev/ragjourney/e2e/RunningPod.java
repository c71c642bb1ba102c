package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The only pod of a journey, asked for its figures and its plan. */
final class RunningPod implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Journey journey;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  RunningPod(Journey journey) {
    this.journey = journey;
  }

  private Pod pod() {
    List<Pod> pods = journey.pods();
    assertThat(pods).as("pods of %s", journey).hasSize(1);
    return pods.getFirst();
  }

  /** Changes when the pod is another one, or its container was started again. */
  String identity() {
    Pod pod = pod();
    ContainerStatus container = pod.getStatus().getContainerStatuses().getFirst();
    return pod.getMetadata().getUid() + " started " + (container.getRestartCount() + 1) + " times";
  }

  /** The generation of the resource that the plan in force was made of. */
  long generation() throws IOException, InterruptedException {
    JsonNode plan = JSON.readTree(get("/plan"));
    return plan.path("generation").asLong();
  }

  /**
   * The sum of a metric's samples that carry all of these labels.
   *
   * @param labels such as {@code stage="rerank"}
   */
  double metric(String name, String... labels) throws IOException, InterruptedException {
    List<String> samples =
        get("/metrics")
            .lines()
            .filter(line -> line.startsWith(name + "{"))
            .filter(line -> Stream.of(labels).allMatch(line::contains))
            .toList();
    assertThat(samples).as("%s with %s", name, List.of(labels)).isNotEmpty();
    return samples.stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private String get(String path) throws IOException, InterruptedException {
    URI uri = Journey.address(pod(), "admin").resolve(path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s: %s", uri, response.body()).isEqualTo(200);
    return response.body();
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
