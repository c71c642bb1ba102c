package dev.ragjourney.support.prometheus;

import com.sun.net.httpserver.HttpServer;
import dev.ragjourney.plan.MetricNames;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A process that exposes a journey's metrics as a pipeline pod does, with one stage. */
public final class ScrapedPod implements AutoCloseable {
  private final String namespace;
  private final String journey;
  private final String stage;
  private final double[] boundaries;
  private final double budgetSeconds;
  private final HttpServer server;
  private final AtomicInteger scrapes = new AtomicInteger();
  private volatile Metrics metrics;

  private record Metrics(
      CollectorRegistry registry,
      Histogram duration,
      Counter started,
      Counter skipped,
      Counter answers,
      Gauge cap,
      Histogram journeyDuration,
      Histogram remaining) {}

  public ScrapedPod(
      String namespace,
      String journey,
      String stage,
      List<Double> boundaries,
      double budgetSeconds) {
    this.namespace = namespace;
    this.journey = journey;
    this.stage = stage;
    this.boundaries = boundaries.stream().mapToDouble(Double::doubleValue).toArray();
    this.budgetSeconds = budgetSeconds;
    this.metrics = fresh();
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/metrics",
        exchange -> {
          exchange.getResponseHeaders().add("content-type", TextFormat.CONTENT_TYPE_004);
          exchange.sendResponseHeaders(200, 0);
          try (Writer writer =
              new OutputStreamWriter(exchange.getResponseBody(), StandardCharsets.UTF_8)) {
            TextFormat.write004(writer, metrics.registry().metricFamilySamples());
          }
          scrapes.incrementAndGet();
        });
    server.start();
  }

  private Metrics fresh() {
    CollectorRegistry registry = new CollectorRegistry();
    String[] stageLabels = {"namespace", "journey", "stage"};
    String[] skipLabels = {"namespace", "journey", "stage", "reason"};
    String[] durationLabels = {"namespace", "journey", "stage", "variant", "outcome", "cut"};
    String[] answerLabels = {"namespace", "journey", "outcome", "level", "deadline"};
    String[] journeyLabels = {"namespace", "journey", "outcome", "level"};
    double[] shares = new double[20];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = budgetSeconds * (i + 1) / shares.length;
    }
    Metrics made =
        new Metrics(
            registry,
            Histogram.build(MetricNames.STAGE_DURATION, "d")
                .labelNames(durationLabels)
                .buckets(boundaries)
                .register(registry),
            Counter.build(MetricNames.STAGE_STARTED, "s")
                .labelNames(stageLabels)
                .register(registry),
            Counter.build(MetricNames.STAGE_SKIPPED, "s").labelNames(skipLabels).register(registry),
            Counter.build(MetricNames.ANSWERS, "a").labelNames(answerLabels).register(registry),
            Gauge.build(MetricNames.STAGE_CAP, "c").labelNames(stageLabels).register(registry),
            Histogram.build(MetricNames.JOURNEY_DURATION, "d")
                .labelNames(journeyLabels)
                .buckets(boundaries)
                .register(registry),
            Histogram.build(MetricNames.REMAINING_AT_GENERATE, "r")
                .labelNames("namespace", "journey")
                .buckets(shares)
                .register(registry));
    for (String[] ended :
        List.of(
            new String[] {"success", ""},
            new String[] {"timeout", "cap"},
            new String[] {"timeout", "deadline"},
            new String[] {"cancelled", "lost"},
            new String[] {"error", ""})) {
      made.duration().labels(namespace, journey, stage, "v0", ended[0], ended[1]);
    }
    made.started().labels(namespace, journey, stage);
    made.skipped().labels(namespace, journey, stage, "no_time");
    made.answers().labels(namespace, journey, "full", "full", "own");
    made.answers().labels(namespace, journey, "degraded", "fast", "own");
    made.answers().labels(namespace, journey, "static", "sorry", "own");
    made.journeyDuration().labels(namespace, journey, "full", "full");
    made.remaining().labels(namespace, journey);
    return made;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** How often it was scraped. */
  public int scrapes() {
    return scrapes.get();
  }

  /** As if its process ended and came again: every count begins at zero. */
  public void restart() {
    metrics = fresh();
  }

  public void cap(double seconds) {
    metrics.cap().labels(namespace, journey, stage).set(seconds);
  }

  /** A primary call in its full form. */
  public void call(String outcome, String cut, double seconds) {
    call("v0", outcome, cut, seconds);
  }

  public void call(String variant, String outcome, String cut, double seconds) {
    Metrics current = metrics;
    current.started().labels(namespace, journey, stage).inc();
    current.duration().labels(namespace, journey, stage, variant, outcome, cut).observe(seconds);
  }

  public void skip(String reason) {
    metrics.skipped().labels(namespace, journey, stage, reason).inc();
  }

  public void answer(String outcome, String level, String deadline, double seconds) {
    Metrics current = metrics;
    current.answers().labels(namespace, journey, outcome, level, deadline).inc();
    current.journeyDuration().labels(namespace, journey, outcome, level).observe(seconds);
  }

  public void remainingAtGenerate(double seconds) {
    metrics.remaining().labels(namespace, journey).observe(seconds);
  }

  /** Its count of started calls is no number from now on. */
  public void startedCountBreaks() {
    metrics.started().labels(namespace, journey, stage).inc(Double.NaN);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
