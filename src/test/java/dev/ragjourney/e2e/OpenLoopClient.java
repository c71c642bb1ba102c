package dev.ragjourney.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * Asks at given times, whether or not earlier answers have come, and measures from the time at
 * which each question should have been sent: a slow server cannot hide by slowing its client.
 */
final class OpenLoopClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Far above every budget of these tests: only bounds the test. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String ANSWER = "event: answer\ndata: ";

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  /**
   * How a question is asked.
   *
   * @param stream as server-sent events
   */
  record Form(boolean stream, Map<String, String> headers) {
    static final Form PLAIN = new Form(false, Map.of());

    Form {
      headers = Map.copyOf(headers);
    }
  }

  /** Asks each pod in turn until all questions are asked or {@code stop} says so. */
  LoadReport ask(String name, List<URI> pods, Arrivals arrivals, BooleanSupplier stop) {
    return ask(name, pods, arrivals, i -> Form.PLAIN, stop);
  }

  /** The same, each question in its own form. */
  LoadReport ask(
      String name,
      List<URI> pods,
      Arrivals arrivals,
      IntFunction<Form> forms,
      BooleanSupplier stop) {
    List<Future<Reply>> pending = new ArrayList<>();
    ask(pods, arrivals, forms, stop, pending);
    return new LoadReport(name, pending.stream().map(Future::resultNow).toList());
  }

  private void ask(
      List<URI> pods,
      Arrivals arrivals,
      IntFunction<Form> forms,
      BooleanSupplier stop,
      Collection<Future<Reply>> pending) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long start = System.nanoTime();
      long[] offsets = arrivals.offsets();
      for (int i = 0; i < offsets.length && !stop.getAsBoolean(); i++) {
        long due = start + offsets[i];
        waitUntil(due);
        URI pod = pods.get(i % pods.size());
        String question = "Question " + i + ": how do I keep a package from being upgraded?";
        Form form = forms.apply(i);
        pending.add(threads.submit(() -> ask(pod, question, form, due)));
      }
    }
  }

  /** The same in the background, until {@link Background#stop()}. */
  Background askUntilStopped(String name, List<URI> pods, Arrivals arrivals) {
    return askUntilStopped(name, pods, arrivals, i -> Form.PLAIN);
  }

  Background askUntilStopped(
      String name, List<URI> pods, Arrivals arrivals, IntFunction<Form> forms) {
    AtomicBoolean stop = new AtomicBoolean();
    Queue<Future<Reply>> pending = new ConcurrentLinkedQueue<>();
    // Not the common pool: with two processors it has one thread, which HTTP clients need.
    CompletableFuture<Void> load =
        CompletableFuture.runAsync(
            () -> ask(pods, arrivals, forms, stop::get, pending),
            task -> Thread.ofVirtual().start(task));
    return new Background(name, load, stop, pending);
  }

  /** A load that goes on beside the test. */
  record Background(
      String name, CompletableFuture<Void> load, AtomicBoolean stopped, Queue<Future<Reply>> asked)
      implements AutoCloseable {
    /** What has been answered until now, or has failed. */
    List<Reply> soFar() {
      return asked.stream().filter(Future::isDone).map(Future::resultNow).toList();
    }

    void awaitAsked(int questions) {
      await(questions + " questions")
          .atMost(Duration.ofHours(1))
          .until(() -> load.isDone() || asked.size() >= questions);
    }

    LoadReport stop() {
      stopped.set(true);
      load.join();
      return new LoadReport(name, soFar());
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
    return ask(pod, question, new Form(false, headers), System.nanoTime());
  }

  private Reply ask(URI pod, String question, Form form, long due) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(pod.resolve("/v1/ask"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    JSON.createObjectNode()
                        .put("question", question)
                        .put("stream", form.stream())
                        .toString()));
    form.headers().forEach(request::header);
    try {
      HttpResponse<byte[]> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      long latency = System.nanoTime() - due;
      boolean events = form.stream() && response.statusCode() == 200;
      JsonNode body = events ? answerEvent(response.body()) : JSON.readTree(response.body());
      return new Reply(latency, response.statusCode(), body, null);
    } catch (IOException e) {
      String failure = e.getClass().getSimpleName() + ": " + e.getMessage();
      return new Reply(System.nanoTime() - due, 0, null, failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  /** The last event of a stream that came to its end. */
  private static JsonNode answerEvent(byte[] stream) throws IOException {
    String events = new String(stream, StandardCharsets.UTF_8);
    int last = events.lastIndexOf(ANSWER);
    if (last < 0) {
      throw new IOException("the stream ended without its answer");
    }
    return JSON.readTree(events.substring(last + ANSWER.length()));
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
