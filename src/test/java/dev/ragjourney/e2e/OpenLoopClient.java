package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Asks at given times, whether or not earlier answers have come, and measures from the time at
 * which each question should have been sent: a slow server cannot hide by slowing its client.
 */
final class OpenLoopClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Far above every budget of these tests: only bounds the test. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  /** Asks each pod in turn until all questions are asked or {@code stop} says so. */
  LoadReport ask(String name, List<URI> pods, Arrivals arrivals, BooleanSupplier stop) {
    List<Future<Reply>> pending = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long start = System.nanoTime();
      long[] offsets = arrivals.offsets();
      for (int i = 0; i < offsets.length && !stop.getAsBoolean(); i++) {
        long due = start + offsets[i];
        waitUntil(due);
        URI pod = pods.get(i % pods.size());
        String question = "Question " + i + ": how do I keep a package from being upgraded?";
        pending.add(threads.submit(() -> ask(pod, question, Map.of(), due)));
      }
    }
    return new LoadReport(name, pending.stream().map(Future::resultNow).toList());
  }

  /** The same in the background, until {@link Background#stop()}. */
  Background askUntilStopped(String name, List<URI> pods, Arrivals arrivals) {
    AtomicBoolean stop = new AtomicBoolean();
    // Not the common pool: with two processors it has one thread, which HTTP clients need.
    return new Background(
        CompletableFuture.supplyAsync(
            () -> ask(name, pods, arrivals, stop::get), task -> Thread.ofVirtual().start(task)),
        stop);
  }

  /** A load that goes on beside the test. */
  record Background(CompletableFuture<LoadReport> load, AtomicBoolean stopped)
      implements AutoCloseable {
    LoadReport stop() {
      stopped.set(true);
      return load.join();
    }

    @Override
    public void close() {
      stopped.set(true);
    }
  }

  /** Asks once, now. */
  Reply ask(URI pod, String question) {
    return ask(pod, question, Map.of());
  }

  Reply ask(URI pod, String question, Map<String, String> headers) {
    return ask(pod, question, headers, System.nanoTime());
  }

  private Reply ask(URI pod, String question, Map<String, String> headers, long due) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(pod.resolve("/v1/ask"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    JSON.createObjectNode().put("question", question).toString()));
    headers.forEach(request::header);
    try {
      HttpResponse<byte[]> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      long latency = System.nanoTime() - due;
      JsonNode body = JSON.readTree(response.body());
      return new Reply(latency, response.statusCode(), body, null);
    } catch (IOException e) {
      return new Reply(System.nanoTime() - due, 0, null, e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  private static void waitUntil(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
