package dev.ragjourney.bench;

import dev.ragjourney.backends.embedded.EmbeddedBackends;
import dev.ragjourney.backends.embedded.EmbeddedSettings;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.JourneyRunner;
import dev.ragjourney.pipeline.Machinery;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.PlanCodec;
import dev.ragjourney.server.Backend;
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
import java.util.Arrays;
import java.util.List;

/**
 * What the pod adds to its stages: the same questions to the embedded stages directly and to the
 * pod over HTTP, in turns, one at a time, in one process. Arguments: a folder of documents and the
 * number of rounds.
 */
public final class PodOverhead {
  private static final List<String> QUESTIONS =
      List.of(
          "How do I install a package?",
          "What is a mirror?",
          "Who maintains the distribution?",
          "How can I get the source of a program?",
          "Which kernels are supported?");
  private static final int PASSAGES = 10;

  private final EmbeddedBackends backends;
  private final HttpClient client;
  private final URI ask;
  private final MonotonicTime time = MonotonicTime.system();

  private PodOverhead(EmbeddedBackends backends, HttpClient client, URI ask) {
    this.backends = backends;
    this.client = client;
    this.ask = ask;
  }

  public static void main(String... arguments) throws Exception {
    Path documents = Path.of(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    PrometheusListener metrics = new PrometheusListener();
    try (EmbeddedBackends backends =
            EmbeddedBackends.open(EmbeddedSettings.of(documents, List.of()));
        Machinery machinery = Machinery.real();
        PlanStore plans =
            new PlanStore((use, questions) -> shared(backends), metrics, InstantSource.system());
        HttpClient client = HttpClient.newHttpClient()) {
      plans.load(PlanCodec.write(SamplePlans.unhurried()).getBytes(StandardCharsets.UTF_8));
      while (plans.status().plan() == null) {
        Thread.onSpinWait();
        plans.advance();
      }
      JourneyRunner runner = new JourneyRunner(machinery, metrics);
      try (PodServer pod =
          new PodServer(
              new PodServer.Settings("127.0.0.1", 0, 0, Duration.ZERO),
              new ConcurrencyLimit(100, 2, machinery.time()),
              plans,
              runner::run,
              metrics,
              new Tracing(null, InstantSource.system()),
              machinery.time(),
              InstantSource.system())) {
        pod.start();
        URI ask = URI.create("http://127.0.0.1:" + pod.port() + "/v1/ask");
        PodOverhead bench = new PodOverhead(backends, client, ask);
        bench.run(rounds / 4);
        bench.run(rounds).print();
      }
    }
  }

  private Times run(int rounds) throws Exception {
    long[] direct = new long[rounds];
    long[] pod = new long[rounds];
    for (int i = 0; i < rounds; i++) {
      String question = QUESTIONS.get(i % QUESTIONS.size());
      long start = time.nanos();
      direct(question);
      long between = time.nanos();
      overHttp(question);
      pod[i] = time.nanos() - between;
      direct[i] = between - start;
    }
    return new Times(direct, pod);
  }

  private void direct(String question) throws Exception {
    float[] vector = backends.embedder().embed(call("embed"), question);
    SearchQuery query = new SearchQuery(question, vector, PASSAGES, false);
    List<Passage> found = backends.search().search(call("search"), query).passages();
    List<Passage> best = backends.reranker().rerank(call("rerank"), question, found).passages();
    Prompt prompt = new Prompt(question, best, "", false, null, null);
    backends.generator().generate(call("generate"), prompt, token -> {});
  }

  private StageCall call(String stage) {
    long deadline = time.nanos() + Duration.ofMinutes(1).toNanos();
    return new StageCall(
        stage, 0, StageCall.Role.PRIMARY, time, deadline, deadline, Cancellation.NONE, null);
  }

  private void overHttp(String question) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(ask)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"question\": \"" + question + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200 || response.body().contains("\"degraded\":true")) {
      throw new IllegalStateException(response.body());
    }
  }

  static Backend shared(EmbeddedBackends backends) {
    return new Backend() {
      @Override
      public StagePort port(StageType type) {
        return switch (type) {
          case EMBED -> backends.embedder();
          case SEARCH -> backends.search();
          case RERANK -> backends.reranker();
          case GENERATE -> backends.generator();
          case REWRITE, TOOL -> throw new IllegalArgumentException(type.label());
        };
      }

      @Override
      public List<String> missing() {
        return backends.progress().ready() ? List.of() : List.of(backends.progress().text());
      }

      @Override
      public void close() {}
    };
  }

  private record Times(long[] direct, long[] pod) {
    void print() {
      Arrays.sort(direct);
      Arrays.sort(pod);
      System.out.println("            direct ms   pod ms   added ms   ratio");
      for (double quantile : new double[] {0.5, 0.9, 0.99}) {
        double before = at(direct, quantile);
        double after = at(pod, quantile);
        System.out.printf(
            "p%-8.0f %10.2f %8.2f %10.2f %7.2f%n",
            quantile * 100, before, after, after - before, after / before);
      }
    }

    private static double at(long[] sorted, double quantile) {
      return sorted[(int) Math.min(sorted.length - 1, Math.round(quantile * sorted.length))] / 1e6;
    }
  }
}
