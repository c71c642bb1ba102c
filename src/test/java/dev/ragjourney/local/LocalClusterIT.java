package dev.ragjourney.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.Durations;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What a new user sees on a machine with nothing but a JDK and Maven. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LocalClusterIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration MOVE = Duration.ofMinutes(4);

  @TempDir static Path directory;

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private static Process cluster;
  private static Path output;
  private static List<ProcessHandle> started = List.of();

  @BeforeAll
  static void start() throws IOException {
    output = directory.resolve("output.txt");
    List<String> command =
        LocalPod.command(List.of("-Xmx512m"), "dev.ragjourney.local.LocalCluster", List.of());
    cluster =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    await().atMost(START).until(() -> printed("(?m)^ask: (\\S+)") != null);
    started = cluster.descendants().toList();
  }

  @AfterAll
  static void stop() throws InterruptedException {
    cluster.destroy();
    if (!cluster.waitFor(60, TimeUnit.SECONDS)) {
      cluster.destroyForcibly();
    }
  }

  @Test
  @Order(1)
  void a_question_is_answered_with_its_source_and_how_good_the_answer_is() throws Exception {
    JsonNode answer = ask("What is a latency budget?");
    assertThat(answer.path("content").asText()).contains("budget");
    assertThat(answer.path("sources").path(0).path("title").asText()).contains("Latency budgets");
    assertThat(answer.path("latencyMs").asDouble()).isPositive();
    assertThat(answer.has("degraded")).isTrue();
    assertThat(answer.has("remainingMs")).isTrue();
    assertThat(Files.exists(Path.of(printed("(?m)^kubeconfig: (\\S+)")))).isTrue();
  }

  @Test
  @Order(2)
  void a_slowed_reranker_is_skipped_the_condition_turns_and_its_cap_moves() throws Exception {
    await().atMost(MOVE).until(() -> condition("MetricsAvailable").equals("True"));
    long cap = rerankCap();
    slowBy((cap + 20) + "ms");
    await().atMost(MOVE).until(() -> ask("What does degraded mean?").path("degraded").asBoolean());
    await().atMost(MOVE).until(() -> condition("DegradedRateHigh").equals("True"));
    await().atMost(MOVE).until(() -> rerankCap() > cap);
    slowBy("0ms");
    await().atMost(MOVE).until(() -> condition("DegradedRateHigh").equals("False"));
  }

  @Test
  @Order(3)
  void when_it_is_told_to_stop_nothing_is_left_running() throws Exception {
    assertThat(started).as("an operator and two pods").hasSizeGreaterThanOrEqualTo(3);
    cluster.destroy();
    assertThat(cluster.waitFor(60, TimeUnit.SECONDS)).isTrue();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> started.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static JsonNode ask(String question) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(printed("(?m)^ask: (\\S+)")))
            .header("content-type", "application/json")
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofString("{\"question\": \"" + question + "\"}"))
            .build();
    HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private static void slowBy(String delay) throws IOException, InterruptedException {
    String knob = printed("'(http://\\S+/slow)\\?by=0ms'");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(knob + "?by=" + delay))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
  }

  private static String condition(String type) throws IOException, InterruptedException {
    return StreamSupport.stream(status().path("conditions").spliterator(), false)
        .filter(condition -> condition.path("type").asText().equals(type))
        .map(condition -> condition.path("status").asText())
        .findFirst()
        .orElse("");
  }

  private static long rerankCap() throws IOException, InterruptedException {
    return StreamSupport.stream(status().path("stages").spliterator(), false)
        .filter(stage -> stage.path("name").asText().equals("rerank"))
        .map(stage -> Durations.parse(stage.path("cap").asText()).toMillis())
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode status() throws IOException, InterruptedException {
    String kubeconfig = Files.readString(Path.of(printed("(?m)^kubeconfig: (\\S+)")));
    Matcher server = Pattern.compile("server: \"(\\S+)\"").matcher(kubeconfig);
    assertThat(server.find()).isTrue();
    String path = "/apis/ragjourney.dev/v1alpha1/namespaces/default/ragjourneys/handbook";
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.group(1) + path)).build();
    return JSON.readTree(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body())
        .path("status");
  }

  /** The first group of the pattern in what the cluster printed; null if it is not there yet. */
  private static String printed(String pattern) throws IOException {
    assertThat(cluster.isAlive()).as(Files.readString(output)).isTrue();
    Matcher line = Pattern.compile(pattern).matcher(Files.readString(output));
    return line.find() ? line.group(1) : null;
  }
}
