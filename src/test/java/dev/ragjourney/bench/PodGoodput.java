package dev.ragjourney.bench;

import dev.ragjourney.backends.embedded.EmbeddedBackends;
import dev.ragjourney.backends.embedded.EmbeddedSettings;
import dev.ragjourney.pipeline.JourneyRunner;
import dev.ragjourney.pipeline.Machinery;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.plan.PlanCodec;
import dev.ragjourney.server.ConcurrencyLimit;
import dev.ragjourney.server.PlanStore;
import dev.ragjourney.server.PodServer;
import dev.ragjourney.support.SamplePlans;
import dev.ragjourney.telemetry.PrometheusListener;
import dev.ragjourney.telemetry.Tracing;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * What a pod with the embedded pipeline still gives when it is asked for more than it can do.
 * Questions come at their own pace, and time counts from the moment one was due. Good is an answer
 * that is full or degraded and within the budget; goodput is how many of them come in a second.
 * Arguments: a folder of documents, the seconds of each load, the most journeys at once.
 */
public final class PodGoodput {
  private static final List<String> QUESTIONS =
      List.of(
          "How do I install a package?",
          "What is a mirror?",
          "Who maintains the distribution?",
          "How can I get the source of a program?");
  private static final double[] LOADS = {0.5, 1, 2, 4};
  private static final long BUDGET = SamplePlans.smallest().budget().total().toNanos();

  private final HttpClient client;
  private final URI ask;
  private final MonotonicTime time = MonotonicTime.system();

  private PodGoodput(HttpClient client, URI ask) {
    this.client = client;
    this.ask = ask;
  }

  public static void main(String... arguments) throws Exception {
    Path documents = Path.of(arguments[0]);
    int seconds = Integer.parseInt(arguments[1]);
    int most = Integer.parseInt(arguments[2]);
    PrometheusListener metrics = new PrometheusListener();
    ConcurrencyLimit limit =
        new ConcurrencyLimit(
            most, Runtime.getRuntime().availableProcessors(), MonotonicTime.system());
    try (EmbeddedBackends backends =
            EmbeddedBackends.open(EmbeddedSettings.of(documents, List.of()));
        Machinery machinery = Machinery.real(limit);
        PlanStore plans =
            new PlanStore(
                (use, questions) -> PodOverhead.shared(backends), metrics, InstantSource.system());
        HttpClient client = HttpClient.newHttpClient()) {
      plans.load(PlanCodec.write(SamplePlans.smallest()).getBytes(StandardCharsets.UTF_8));
      while (plans.status().plan() == null) {
        Thread.onSpinWait();
        plans.advance();
      }
      JourneyRunner runner = new JourneyRunner(machinery, metrics);
      try (PodServer pod =
          new PodServer(
              new PodServer.Settings("127.0.0.1", 0, 0, Duration.ZERO),
              limit,
              plans,
              runner::run,
              metrics,
              new Tracing(null, InstantSource.system()),
              machinery.time(),
              InstantSource.system())) {
        pod.start();
        new PodGoodput(client, URI.create("http://127.0.0.1:" + pod.port() + "/v1/ask"))
            .run(seconds);
      }
    }
  }

  private void run(int seconds) throws Exception {
    closedLoop(seconds);
    double capacity = closedLoop(seconds);
    System.out.printf("capacity %.0f answers a second%n", capacity);
    System.out.println("load   asked/s   good/s   full   degraded   static   late   refused");
    for (double load : LOADS) {
      openLoop(load, capacity * load, seconds).print();
    }
  }

  /** As many askers as keep the processors busy, each with the next question after an answer. */
  private double closedLoop(int seconds) throws Exception {
    int askers = 2 * Runtime.getRuntime().availableProcessors();
    long end = time.nanos() + Duration.ofSeconds(seconds).toNanos();
    Callable<Integer> asker =
        () -> {
          int answers = 0;
          while (time.nanos() < end) {
            answers += ask(time.nanos(), answers) == Outcome.REFUSED ? 0 : 1;
          }
          return answers;
        };
    int answers = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> done : threads.invokeAll(Collections.nCopies(askers, asker))) {
        answers += done.get();
      }
    }
    return (double) answers / seconds;
  }

  private Counts openLoop(double load, double rate, int seconds) throws Exception {
    List<Future<Outcome>> asked = new ArrayList<>();
    long start = time.nanos();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < rate * seconds; i++) {
        long due = start + (long) (i / rate * 1e9);
        int number = i;
        while (time.nanos() < due) {
          LockSupport.parkNanos(due - time.nanos());
        }
        asked.add(threads.submit(() -> ask(due, number)));
      }
    }
    int[] counts = new int[Outcome.values().length];
    for (Future<Outcome> answer : asked) {
      counts[answer.get().ordinal()]++;
    }
    return new Counts(load, rate, seconds, counts);
  }

  private enum Outcome {
    FULL,
    DEGRADED,
    STATIC,
    LATE,
    REFUSED
  }

  private Outcome ask(long due, int number) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(ask)
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"question\": \"" + QUESTIONS.get(number % QUESTIONS.size()) + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      return Outcome.REFUSED;
    }
    if (response.body().contains("\"overBudget\":true")) {
      return Outcome.STATIC;
    }
    if (time.nanos() - due > BUDGET) {
      return Outcome.LATE;
    }
    return response.body().contains("\"degraded\":true") ? Outcome.DEGRADED : Outcome.FULL;
  }

  private record Counts(double load, double rate, int seconds, int[] of) {
    void print() {
      double good = (double) (of[0] + of[1]) / seconds;
      System.out.printf(
          "%.1f× %9.0f %8.0f %6d %10d %8d %6d %9d%n",
          load, rate, good, of[0], of[1], of[2], of[3], of[4]);
    }
  }
}
