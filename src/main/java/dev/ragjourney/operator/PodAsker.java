package dev.ragjourney.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.operator.observe.PodAnswer;
import dev.ragjourney.operator.observe.PodFacts;
import dev.ragjourney.rebalance.JourneyId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks pods in parallel which plan they run and what they wait for; a second each at most. */
final class PodAsker implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(LIMIT)
          .executor(threads)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  /** Answers by pod uid; a pod without an address yet has none. */
  Map<String, PodAnswer> ask(JourneyId id, List<PodFacts> pods) throws InterruptedException {
    Map<String, Future<PodAnswer>> asked = new HashMap<>();
    for (PodFacts pod : pods) {
      String url = pod.adminUrl();
      if (url != null) {
        asked.put(pod.uid(), threads.submit(() -> answer(id, pod, url)));
      }
    }
    Map<String, PodAnswer> answers = new HashMap<>();
    long end = System.nanoTime() + LIMIT.toNanos();
    for (var entry : asked.entrySet()) {
      answers.put(entry.getKey(), within(entry.getValue(), end - System.nanoTime()));
    }
    return answers;
  }

  private static PodAnswer within(Future<PodAnswer> asked, long nanos) throws InterruptedException {
    try {
      return asked.get(Math.max(1, nanos), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      asked.cancel(true);
      return new PodAnswer.Unreachable("no answer within " + LIMIT.toMillis() + " ms");
    } catch (ExecutionException e) {
      return new PodAnswer.Unreachable(String.valueOf(e.getCause()));
    }
  }

  private PodAnswer answer(JourneyId id, PodFacts pod, String url)
      throws IOException, InterruptedException {
    CompletableFuture<JsonNode> readiness =
        pod.ready() ? CompletableFuture.completedFuture(JSON.nullNode()) : async(url + "/readyz");
    HttpResponse<String> response = send(url + "/plan");
    if (response.statusCode() != 200) {
      return new PodAnswer.Unreachable(url + "/plan answers " + response.statusCode());
    }
    JsonNode plan = JSON.readTree(response.body());
    if (plan.has("journey")
        && !(plan.path("journey").asText().equals(id.name())
            && plan.path("namespace").asText().equals(id.namespace()))) {
      return new PodAnswer.Unreachable(url + " is a pod of another journey");
    }
    return new PodAnswer.Running(
        plan.path("revision").asLong(0),
        problem(readiness.exceptionally(e -> JSON.nullNode()).join()));
  }

  private CompletableFuture<JsonNode> async(String url) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return JSON.readTree(send(url).body());
          } catch (IOException e) {
            return JSON.nullNode();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return JSON.nullNode();
          }
        },
        threads);
  }

  private HttpResponse<String> send(String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** The first thing that a person has to provide, in the words of the pod. */
  static PodAnswer.Problem problem(JsonNode readiness) {
    for (JsonNode reason : readiness.path("reasons")) {
      String text = reason.asText();
      if (text.contains("of Secret or ConfigMap ")) {
        return new PodAnswer.Problem("SecretMissing", text);
      }
      if (text.contains("documents are missing")) {
        return new PodAnswer.Problem("DocumentsMissing", text);
      }
    }
    return PodAnswer.Problem.NONE;
  }

  @Override
  public void close() {
    http.shutdownNow();
    threads.shutdownNow();
  }
}
