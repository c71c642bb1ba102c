package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.support.SamplePlans;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The HTTP face, with journeys that are scripted. */
@Timeout(60)
class AskHttpIT {
  private static final String QUESTION = "{\"question\": \"When does water boil?\"}";
  private static final String STREAM =
      "{\"question\": \"When does water boil?\", \"stream\": true}";

  @TempDir Path directory;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private TestPod pod(Journeys journeys, int maxJourneys) throws Exception {
    return new TestPod(directory, new FakeBackends(), metrics -> journeys, maxJourneys)
        .load(SamplePlans.smallest());
  }

  @Test
  void a_question_is_answered_with_every_fact() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.DEGRADED, null), 10)) {
      HttpResponse<String> response = pod.ask(QUESTION);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(response.headers().firstValue("x-rag-level")).hasValue("fast");
      assertThat(response.headers().firstValue("x-rag-degraded")).hasValue("true");
      assertThat(TestPod.json(response))
          .isEqualTo(
              TestPod.JSON.readTree(
                  """
                  {"content": "Water boils at 100 degrees\\n.", "degraded": true,
                   "degradationLevel": 1, "level": "fast",
                   "skipped": [{"stage": "rerank", "reason": "timeout"}], "wouldCut": [],
                   "sources": [{"id": "a.txt#1", "title": "A", "score": 2.0},
                               {"id": "b.txt#4", "title": "B", "score": 1.0}],
                   "latencyMs": 12.3, "firstTokenMs": 7.0, "remainingMs": 2900.0,
                   "overBudget": false, "truncated": false, "cached": false,
                   "hint": "Quick answer; some detail may be missing.", "traceId": null}
                  """));
    }
  }

  @Test
  void a_stream_gives_token_events_as_they_come_and_then_one_answer_event() throws Exception {
    Semaphore gate = new Semaphore(0);
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, gate), 10);
        Socket socket = connect(pod, STREAM)) {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      gate.release();
      assertThat(nextEvent(lines)).containsExactly("token", "{\"content\":\"Water \"}");
      gate.release();
      assertThat(nextEvent(lines)).containsExactly("token", "{\"content\":\"boils at \"}");
      gate.release(2);
      assertThat(nextEvent(lines)).containsExactly("token", "{\"content\":\"100 degrees\\n.\"}");
      List<String> last = nextEvent(lines);
      assertThat(last.getFirst()).isEqualTo("answer");
      JsonNode answer = TestPod.JSON.readTree(last.getLast());
      assertThat(answer.path("content").textValue()).isEqualTo("Water boils at 100 degrees\n.");
      assertThat(answer.path("degraded").booleanValue()).isFalse();
      assertThat(nextEvent(lines)).isEmpty();
    }
  }

  @Test
  void a_caller_that_leaves_mid_stream_ends_its_journey_and_the_pod_serves_on() throws Exception {
    Semaphore gate = new Semaphore(0);
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, gate);
    try (TestPod pod = pod(journeys, 1)) {
      Socket socket = connect(pod, STREAM);
      gate.release();
      socket.getInputStream().read();
      socket.setSoLinger(true, 0);
      socket.close();
      await()
          .atMost(Duration.ofSeconds(10))
          .until(
              () -> {
                gate.release();
                return journeys.ended.contains("cancelled");
              });
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 0);
      gate.release(10);
      assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_journey_that_failed_is_a_problem_with_stage_cap_and_remaining() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.ERROR, null), 10)) {
      for (String body : List.of(QUESTION, STREAM)) {
        HttpResponse<String> response = pod.ask(body);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("content-type"))
            .hasValue("application/problem+json");
        JsonNode problem = TestPod.json(response);
        assertThat(problem.path("detail").textValue()).isEqualTo("search gave nothing");
        assertThat(problem.path("stage").textValue()).isEqualTo("search");
        assertThat(problem.path("capMs").doubleValue()).isEqualTo(600);
        assertThat(problem.path("remainingMs").doubleValue()).isEqualTo(100);
      }
    }
  }

  static Stream<Arguments> badRequests() {
    return Stream.of(
        bad("an empty body", "application/json", "", "not a JSON object"),
        bad("half a document", "application/json", "{\"question\": \"wh", "not valid JSON"),
        bad("a list", "application/json", "[]", "not a JSON object"),
        bad("text after the document", "application/json", QUESTION + "x", "not valid JSON"),
        bad("no question", "application/json", "{}", "\"question\" is missing"),
        bad("a null question", "application/json", "{\"question\": null}", "not a string"),
        bad("a number for a question", "application/json", "{\"question\": 7}", "not a string"),
        bad("a blank question", "application/json", "{\"question\": \" \\n\"}", "is blank"),
        bad(
            "a stream flag in quotes",
            "application/json",
            "{\"question\": \"q\", \"stream\": \"true\"}",
            "\"stream\" is not true or false"),
        bad(
            "a misspelt field",
            "application/json",
            "{\"question\": \"q\", \"steam\": true}",
            "unknown field \"steam\"; known are [question, stream]"),
        bad(
            "a field twice",
            "application/json",
            "{\"question\": \"q\", \"question\": \"r\"}",
            "not valid JSON"),
        bad("plain text", "text/plain", QUESTION, "\"text/plain\"; send application/json"),
        bad("nesting without end", "application/json", "[".repeat(5_000), "not valid JSON"));
  }

  @ParameterizedTest(name = "{0} is refused with what would be right")
  @MethodSource("badRequests")
  void a_bad_request_is_refused_with_what_would_be_right(
      String name, String contentType, String body, String detail) throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, null), 10)) {
      HttpResponse<String> response =
          pod.send(
              HttpRequest.newBuilder(pod.uri("/v1/ask"))
                  .header("Content-Type", contentType)
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build());
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.headers().firstValue("content-type"))
          .hasValue("application/problem+json");
      assertThat(TestPod.json(response).path("detail").textValue()).contains(detail);
      assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest(name = "declared up front: {0}")
  @MethodSource("lengthDeclared")
  void a_question_of_a_megabyte_is_too_large_and_the_pod_serves_on(boolean declared)
      throws Exception {
    String body = "{\"question\": \"" + "x".repeat(1_000_000) + "\"}";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, null), 10)) {
      HttpRequest.BodyPublisher publisher =
          declared
              ? HttpRequest.BodyPublishers.ofByteArray(bytes)
              : HttpRequest.BodyPublishers.ofInputStream(
                  () -> new java.io.ByteArrayInputStream(bytes));
      HttpResponse<String> response =
          pod.send(
              HttpRequest.newBuilder(pod.uri("/v1/ask"))
                  .header("Content-Type", "application/json")
                  .POST(publisher)
                  .build());
      assertThat(response.statusCode()).isEqualTo(413);
      assertThat(TestPod.json(response).path("detail").textValue())
          .isEqualTo("the body has more than 65536 bytes; ask in less");
      assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
    }
  }

  static Stream<Boolean> lengthDeclared() {
    return Stream.of(true, false);
  }

  @Test
  void what_follows_a_refused_body_is_never_taken_for_a_request() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, null), 10);
        Socket socket = new Socket("127.0.0.1", pod.server.port())) {
      socket.setSoTimeout(10_000);
      String head =
          "POST /v1/ask HTTP/1.1\r\nHost: pod\r\nContent-Type: application/json\r\n"
              + "Content-Length: 1000000\r\nExpect: 100-continue\r\n\r\n";
      String hidden = "GET /livez HTTP/1.1\r\nHost: pod\r\n\r\n";
      socket.getOutputStream().write((head + hidden).getBytes(StandardCharsets.UTF_8));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all).contains(" 413 ").contains("Connection: close").doesNotContain("\"live\"");
    }
  }

  @Test
  void a_get_is_answered_with_the_method_that_is_allowed() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, null), 10)) {
      assertThat(pod.get("/v1/ask").statusCode()).isEqualTo(405);
      assertThat(pod.get("/v1/ask").headers().firstValue("allow")).hasValue("POST");
      assertThat(pod.get("/nothing").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void the_smallest_of_the_callers_budgets_reaches_the_journey() throws Exception {
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, null);
    try (TestPod pod = pod(journeys, 10)) {
      pod.ask(QUESTION, "x-rag-budget-ms", "900", "grpc-timeout", "1S", "x-rag-other", "1");
      pod.ask(QUESTION, "x-rag-budget-ms", "soon", "x-envoy-expected-rq-timeout-ms", "700");
      pod.ask(QUESTION);
      assertThat(journeys.asked)
          .extracting(Question::callerRemainingNanos)
          .containsExactly(900_000_000L, 700_000_000L, null);
      assertThat(pod.get("/metrics").body())
          .contains(
              "rag_budget_headers_ignored_total{namespace=\"default\",journey=\"faq\","
                  + "header=\"x-rag-budget-ms\",} 1.0");
    }
  }

  @Test
  void a_callers_trace_reaches_the_journey_and_the_answer_where_nothing_is_traced()
      throws Exception {
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, null);
    String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    try (TestPod pod = pod(journeys, 10)) {
      HttpResponse<String> response = pod.ask(QUESTION, "traceparent", traceparent);
      assertThat(journeys.asked.take().traceparent()).isEqualTo(traceparent);
      assertThat(TestPod.json(response).path("traceId").textValue())
          .isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
      pod.ask(QUESTION, "traceparent", "00-zz-00f067aa0ba902b7-01");
      assertThat(journeys.asked.take().traceparent()).isNull();
    }
  }

  @Test
  void beyond_the_limit_the_static_message_comes_at_once_and_operations_still_answer()
      throws Exception {
    Semaphore gate = new Semaphore(0);
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, gate);
    try (TestPod pod = pod(journeys, 2)) {
      List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        waiting.add(CompletableFuture.supplyAsync(() -> unchecked(pod), threads));
      }
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 2);
      HttpResponse<String> refused = pod.ask(QUESTION);
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("retry-after")).hasValue("2");
      assertThat(TestPod.json(refused).path("content").textValue())
          .isEqualTo("Try again in a moment.");
      assertThat(pod.get("/livez").statusCode()).isEqualTo(200);
      assertThat(pod.getAdmin("/readyz").statusCode()).isEqualTo(200);
      gate.release(100);
      for (CompletableFuture<HttpResponse<String>> answer : waiting) {
        assertThat(answer.get().statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void on_the_signal_to_stop_what_is_on_its_way_is_answered_before_the_pod_ends() throws Exception {
    Semaphore gate = new Semaphore(0);
    TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, gate), 10);
    CompletableFuture<HttpResponse<String>> early =
        CompletableFuture.supplyAsync(() -> unchecked(pod), threads);
    await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 1);
    CompletableFuture<Void> stopped = CompletableFuture.runAsync(pod::close, threads);
    await().atMost(Duration.ofSeconds(10)).until(() -> pod.getAdmin("/readyz").statusCode() == 503);
    assertThat(pod.getAdmin("/readyz").body()).contains("the pod is closing");
    CompletableFuture<HttpResponse<String>> late =
        CompletableFuture.supplyAsync(() -> unchecked(pod), threads);
    await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 2);
    // Longer than the settle time and the server's own grace period together.
    await()
        .during(Duration.ofMillis(1_500))
        .atMost(Duration.ofSeconds(10))
        .until(() -> !stopped.isDone());
    gate.release(100);
    assertThat(early.get().statusCode()).isEqualTo(200);
    assertThat(late.get().statusCode()).isEqualTo(200);
    stopped.get();
  }

  private static HttpResponse<String> unchecked(TestPod pod) {
    try {
      return pod.ask(QUESTION);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Socket connect(TestPod pod, String body) throws Exception {
    Socket socket = new Socket("127.0.0.1", pod.server.port());
    socket.setSoTimeout(10_000);
    OutputStream out = socket.getOutputStream();
    out.write(
        ("POST /v1/ask HTTP/1.1\r\nHost: pod\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body)
            .getBytes(StandardCharsets.UTF_8));
    out.flush();
    return socket;
  }

  /** Type and data of the next event, skipping headers and chunk sizes; empty at the last chunk. */
  private static List<String> nextEvent(BufferedReader lines) throws Exception {
    String line = lines.readLine();
    while (!line.startsWith("event: ")) {
      if (line.equals("0")) {
        return List.of();
      }
      line = lines.readLine();
    }
    String data = lines.readLine();
    return List.of(line.substring("event: ".length()), data.substring("data: ".length()));
  }

  private static Arguments bad(String name, String contentType, String body, String detail) {
    return Arguments.of(name, contentType, body, detail);
  }
}
