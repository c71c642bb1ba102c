package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.support.MountedPlan;
import dev.ragjourney.support.Plans;
import dev.ragjourney.support.PodProcess;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.DelayLaw;
import dev.ragjourney.support.scripted.Fault;
import dev.ragjourney.support.scripted.Protocol;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * C10: thousands of requests to a pod whose backends all misbehave at random, in every way that the
 * scripted backend knows. Every request is answered and nothing is left over. How late the latest
 * answers are is printed: a figure of this machine, not a test.
 */
@Timeout(600)
class UnderFireIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int REQUESTS = Integer.getInteger("ragjourney.fire.requests", 2_000);
  private static final int AT_ONCE = 48;
  private static final long BUDGET_MS = 500;

  @TempDir Path directory;

  private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();

  @ParameterizedTest(name = "counted to the {0}")
  @CsvSource({"FirstToken", "LastToken"})
  void everything_is_answered_and_nothing_is_left_over(String countTo) throws Exception {
    try (ScriptedBackend backend = ScriptedBackend.start();
        HttpClient client = HttpClient.newHttpClient()) {
      MountedPlan plan = new MountedPlan(Files.createDirectory(directory.resolve("plan")));
      plan.write(Plans.of("fire", spec(countTo, backend)));
      try (PodProcess pod = PodProcess.start(directory, plan, "-Xmx256m")) {
        misbehave(backend);
        Load load = new Load(client, pod);
        load.ask(REQUESTS / 5);
        settle(backend);
        long heap = pod.liveHeapBytes();
        long files = pod.openFiles();
        long threads = pod.threads();
        outcomes.clear();

        long[] nanos = load.ask(REQUESTS);

        settle(backend);
        assertThat(new TreeMap<>(count()).keySet())
            .as("every kind of answer, and no other: %s", count())
            .containsExactlyInAnyOrder("full", "degraded", "static");
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(
                () -> {
                  assertThat(pod.openFiles()).as("open files").isLessThanOrEqualTo(files + 8);
                  assertThat(pod.threads()).as("threads").isLessThanOrEqualTo(threads + 8);
                });
        assertThat(pod.liveHeapBytes())
            .as("heap after a collection, %d bytes before", heap)
            .isLessThan(heap + heap / 4);
        print(countTo, nanos);
      }
    }
  }

  private void print(String countTo, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        "%s, budget %d ms, %d at once: p50 %d ms, p99 %d ms, p99.9 %d ms, worst %d ms; %s%n",
        countTo,
        BUDGET_MS,
        AT_ONCE,
        millis(nanos, 0.5),
        millis(nanos, 0.99),
        millis(nanos, 0.999),
        millis(nanos, 1),
        count());
  }

  private static long millis(long[] sorted, double share) {
    return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1_000_000;
  }

  private Map<String, Long> count() {
    Map<String, Long> count = new TreeMap<>();
    outcomes.forEach((outcome, adder) -> count.put(outcome, adder.sum()));
    return count;
  }

  /** Until no call of a journey is on its way at the backend. */
  private static void settle(ScriptedBackend backend) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(backend.connectionsOpen()).as("connections").isLessThan(AT_ONCE * 3));
  }

  /** Asks from many threads, a third of them streaming. */
  private final class Load {
    private final HttpClient client;
    private final PodProcess pod;

    Load(HttpClient client, PodProcess pod) {
      this.client = client;
      this.pod = pod;
    }

    /** The time of each answer: to the end, in first-token mode to the token where there is one. */
    long[] ask(int requests) throws InterruptedException {
      long[] nanos = new long[requests];
      Semaphore atOnce = new Semaphore(AT_ONCE);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < requests; i++) {
          int request = i;
          atOnce.acquire();
          var _ =
              threads.submit(
                  () -> {
                    try {
                      nanos[request] = ask(request % 3 == 0);
                    } catch (Exception | Error e) {
                      outcomes
                          .computeIfAbsent("not answered: " + e, _ -> new LongAdder())
                          .increment();
                    } finally {
                      atOnce.release();
                    }
                  });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      }
      return nanos;
    }

    private long ask(boolean stream) throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(pod.journeys().resolve("/v1/ask"))
              .header("Content-Type", "application/json")
              .timeout(Duration.ofSeconds(30))
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"question\": \"When is it due?\", \"stream\": " + stream + "}"))
              .build();
      long sent = System.nanoTime();
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      long took = System.nanoTime() - sent;
      String body = response.body();
      JsonNode answer =
          JSON.readTree(
              stream && body.contains("event: answer")
                  ? body.substring(body.lastIndexOf("data: ") + "data: ".length())
                  : body);
      outcomes.computeIfAbsent(outcome(response, answer), _ -> new LongAdder()).increment();
      double afterFirst =
          answer.path("firstTokenMs").isNumber()
              ? answer.path("latencyMs").asDouble() - answer.path("firstTokenMs").asDouble()
              : 0;
      return took - Math.round(afterFirst * 1e6);
    }

    private String outcome(HttpResponse<String> response, JsonNode answer) {
      if (response.statusCode() != 200) {
        return "status " + response.statusCode();
      }
      if (answer.path("content").asText().isEmpty()) {
        return "empty";
      }
      return answer.path("overBudget").asBoolean()
          ? "static"
          : answer.path("degraded").asBoolean() ? "degraded" : "full";
    }
  }

  /** Quick as a rule; one request in two meets a fault in one of its six calls. */
  private static void misbehave(ScriptedBackend backend) {
    Behaviour behaviour =
        Behaviour.PLAIN.with(DelayLaw.lognormal(8, 0.6).withSecondMode(0.03, 300, 0.5));
    for (Fault.Kind kind : Fault.Kind.values()) {
      // A body that never ends costs this machine more than it costs the pod.
      double share = kind == Fault.Kind.ENDLESS_BODY ? 0.001 : 0.005;
      behaviour = behaviour.with(Fault.always(kind).withShare(share));
    }
    behaviour = behaviour.with(Fault.status(429, 1).withShare(0.01));
    backend.script("*", behaviour.withDimension(8));
    for (Protocol protocol : Protocol.values()) {
      backend.script(protocol, behaviour.withDimension(8).withSeed(protocol.ordinal() + 1));
    }
  }

  private static String spec(String countTo, ScriptedBackend backend) {
    return """
        budget: {total: %dms, countTo: %s, reserve: 20ms, lastTokenMargin: 30ms, streamIdle: 100ms, streamMax: 600ms}
        stages:
        - {name: rewrite, type: Rewrite, optional: true, cap: 60ms, backend: rewriter}
        - {name: embed, type: Embed, cap: 60ms, backend: embedder}
        - name: search
          type: Search
          cap: 150ms
          backend: docs
          retry: {attemptCaps: [120ms, 60ms], backoff: {min: 5ms, max: 20ms}}
          fallback: {backend: other-docs, cap: 80ms, minRemaining: 60ms}
        - {name: rerank, type: Rerank, optional: true, cap: 80ms, backend: reranker}
        - name: generate
          type: Generate
          floor: 150ms
          degradeAfter: 120ms
          backend: big-llm
          fallback: {backend: small-llm, cap: 100ms, minRemaining: 60ms}
        fallbackLevels:
        - {name: full, minRemaining: 250ms}
        - {name: fast, minRemaining: 100ms, skip: [rewrite, rerank], stages: [{name: generate, backend: small-llm, floor: 60ms}]}
        - {name: sorry, answer: Static, message: "Try again in a moment."}
        backends:
        - {name: rewriter, http: {url: "%3$s/http/rewrite"}}
        - {name: embedder, tei: {url: "%3$s"}}
        - {name: docs, http: {url: "%3$s/http/search"}}
        - {name: other-docs, http: {url: "%3$s/other/http/search"}}
        - {name: reranker, rerank: {url: "%3$s/v1", style: Jina, model: m}}
        - {name: big-llm, openai: {url: "%3$s/big/v1", model: m}}
        - {name: small-llm, openai: {url: "%3$s/small/v1", model: m}}
        """
        .formatted(BUDGET_MS, countTo, backend.url(""));
  }
}
