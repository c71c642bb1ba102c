package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.support.MountedPlan;
import dev.ragjourney.support.SamplePlans;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole pod with the embedded backends on a small folder of documents. */
@Timeout(180)
class PipelinePodIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START = Duration.ofSeconds(120);

  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void a_pod_waits_for_its_documents_and_then_answers_from_them() throws Exception {
    Path documents = directory.resolve("documents");
    MountedPlan mount = new MountedPlan(Files.createDirectory(directory.resolve("plan")));
    mount.write(SamplePlans.unhurried());
    PipelineSettings settings =
        new PipelineSettings(
            mount.directory(),
            documents,
            directory.resolve("secrets"),
            "127.0.0.1",
            0,
            0,
            10,
            Duration.ZERO);
    try (PipelinePod pod =
        new PipelinePod(
            settings,
            Map.of(),
            new PodBackends(documents, settings.secretsDirectory(), Map.of()))) {
      pod.start();
      await()
          .atMost(START)
          .until(() -> get(pod.adminPort(), "/readyz").body().contains("documents are missing"));
      assertThat(get(pod.adminPort(), "/readyz").statusCode()).isEqualTo(503);
      writeDocuments(documents);
      await().atMost(START).until(() -> get(pod.port(), "/readyz").statusCode() == 200);
      whole(ask(pod, "{\"question\": \"At what temperature does water boil?\"}"));
      streamed(
          ask(pod, "{\"question\": \"At what temperature does water boil?\", \"stream\": true}"));
      assertThat(get(pod.adminPort(), "/metrics").body())
          .contains(
              "rag_journey_answers_total{namespace=\"default\",journey=\"faq\",outcome=\"full\","
                  + "level=\"full\",deadline=\"own\",} 2.0",
              "rag_stage_started_total{namespace=\"default\",journey=\"faq\",stage=\"rerank\",}"
                  + " 2.0");
      documentsChange(pod, documents);
    }
  }

  private static void whole(HttpResponse<String> response) throws Exception {
    assertThat(response.statusCode()).isEqualTo(200);
    JsonNode answer = JSON.readTree(response.body());
    assertThat(answer.path("content").textValue()).contains("100 degrees");
    assertThat(answer.path("degraded").booleanValue()).as(response.body()).isFalse();
    assertThat(answer.path("sources").path(0).path("id").textValue()).startsWith("water.txt#");
    assertThat(answer.path("remainingMs").doubleValue()).isBetween(1.0, 120_000.0);
  }

  private static void streamed(HttpResponse<String> response) throws Exception {
    assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
    List<String> events =
        response.body().lines().filter(line -> line.startsWith("event: ")).toList();
    assertThat(events).startsWith("event: token").endsWith("event: answer");
    assertThat(events.subList(0, events.size() - 1)).containsOnly("event: token");
    StringBuilder written = new StringBuilder();
    List<String> data = response.body().lines().filter(line -> line.startsWith("data: ")).toList();
    for (String token : data.subList(0, data.size() - 1)) {
      written.append(JSON.readTree(token.substring(6)).path("content").textValue());
    }
    JsonNode answer = JSON.readTree(data.getLast().substring(6));
    assertThat(written.toString()).isEqualTo(answer.path("content").textValue());
  }

  /** As a mounted ConfigMap changes: with no restart, and with nobody left without an answer. */
  private void documentsChange(PipelinePod pod, Path documents) throws Exception {
    Files.writeString(
        documents.resolve("water.txt"), "Water boils at a temperature of 71 degrees on Everest.\n");
    await()
        .atMost(START)
        .until(
            () -> {
              assertThat(get(pod.adminPort(), "/readyz").statusCode()).isEqualTo(200);
              HttpResponse<String> answer =
                  ask(pod, "{\"question\": \"At what temperature does water boil?\"}");
              assertThat(answer.statusCode()).isEqualTo(200);
              return JSON.readTree(answer.body())
                  .path("content")
                  .textValue()
                  .contains("71 degrees");
            });
  }

  private static void writeDocuments(Path documents) throws Exception {
    Path fresh = Files.createDirectory(documents.resolveSibling("fresh"));
    Files.writeString(
        fresh.resolve("water.txt"),
        "Water boils at a temperature of 100 degrees Celsius at sea level.\n\n"
            + "On a high mountain it boils earlier, because the air is thinner there.\n");
    Files.writeString(
        fresh.resolve("bread.txt"), "Bread is baked from flour, water, salt and yeast.\n");
    Files.move(fresh, documents);
  }

  private HttpResponse<String> ask(PipelinePod pod, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pod.port() + "/v1/ask"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
