package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.MountedPlan;
import dev.ragjourney.support.Plans;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the resource to the question that Qdrant is asked. */
@Timeout(120)
class QdrantJourneyIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String SPEC =
      """
      budget: {total: 20s}
      stages:
      - {name: embed, type: Embed, backend: embedder}
      - {name: search, type: Search, backend: docs, fallback: {backend: words, mode: Keyword}}
      - {name: generate, type: Generate, floor: 1s, backend: llm}
      fallbackLevels:
      - {name: full, minRemaining: 15s}
      - {name: fast, minRemaining: 5s, stages: [{name: search, topK: 2, ef: 32}]}
      - {name: sorry, answer: Static, message: later}
      backends:
      - {name: embedder, tei: {url: "%1$s"}}
      - {name: docs, qdrant: {url: "%1$s", collection: handbook, ef: 128, apiKey: {secretKeyRef: {name: qdrant, key: token}}}}
      - {name: words, http: {url: "%1$s/http/search"}}
      - {name: llm, openai: {url: "%1$s/v1", model: m}}
      """;

  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private ScriptedBackend server;
  private PipelinePod pod;

  @BeforeEach
  void start() throws Exception {
    server = ScriptedBackend.start();
    MountedPlan mount = new MountedPlan(Files.createDirectory(directory.resolve("plan")));
    Plan plan = Plans.of("faq", SPEC.formatted(server.url("")));
    mount.write(plan);
    PipelineSettings settings =
        new PipelineSettings(
            mount.directory(),
            directory.resolve("documents"),
            directory.resolve("secrets"),
            "127.0.0.1",
            0,
            0,
            10,
            Duration.ZERO);
    pod =
        new PipelinePod(
            settings,
            Map.of(),
            new PodBackends(directory.resolve("documents"), settings.secretsDirectory(), Map.of()));
    pod.start();
    await().until(() -> ready().body().contains("is not mounted"));
    Path key = settings.secretsDirectory().resolve(keyFile(plan));
    Files.createDirectories(key.getParent());
    Files.writeString(key, "sesame");
    await().atMost(Duration.ofSeconds(60)).until(() -> ready().statusCode() == 200);
  }

  @AfterEach
  void stop() throws IOException {
    pod.close();
    client.shutdownNow();
    server.close();
  }

  @ParameterizedTest(name = "with {0} ms left it is the level {1}: {2} candidates for {3} passages")
  @CsvSource({"20000,full,128,10", "10000,fast,32,2"})
  void a_level_looks_at_as_many_candidates_as_it_says(
      long budgetMillis, String level, int ef, int limit) throws Exception {
    JsonNode answer = ask(budgetMillis);

    assertThat(answer.path("level").asText()).as(answer.toString()).isEqualTo(level);
    Exchange asked = server.exchanges("/collections/handbook/points/query").getFirst();
    JsonNode sent = JSON.readTree(asked.body());
    assertThat(sent.path("params").path("hnsw_ef").asInt()).isEqualTo(ef);
    assertThat(sent.path("limit").asInt()).isEqualTo(limit);
    assertThat(sent.path("query")).hasSize(384);
    assertThat(asked.header("api-key")).isEqualTo("sesame");
    assertThat(answer.path("sources")).hasSize(limit);
  }

  @Test
  void without_an_embedding_the_store_is_not_asked_and_the_fallback_searches_by_words()
      throws Exception {
    server.script("tei-embed", Behaviour.status(500));

    JsonNode answer = ask(20_000);

    assertThat(server.exchanges("/collections")).isEmpty();
    assertThat(server.exchanges("/http/search")).hasSize(1);
    assertThat(answer.path("sources")).as(answer.toString()).hasSize(10);
    assertThat(answer.path("degraded").booleanValue()).isTrue();
  }

  private static String keyFile(Plan plan) {
    return plan.backends().stream()
        .map(backend -> backend.secrets().get("apiKey"))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  private HttpResponse<String> ready() throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pod.adminPort() + "/readyz"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode ask(long budgetMillis) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pod.port() + "/v1/ask"))
            .header("Content-Type", "application/json")
            .header("x-rag-budget-ms", Long.toString(budgetMillis))
            .POST(HttpRequest.BodyPublishers.ofString("{\"question\": \"When does it open?\"}"))
            .build();
    return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}
