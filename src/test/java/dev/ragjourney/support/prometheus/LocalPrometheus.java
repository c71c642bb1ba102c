package dev.ragjourney.support.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * As much of Prometheus as the operator's queries need, in process: scrapes targets, keeps samples
 * in memory, answers {@code /api/v1/query} and {@code /api/v1/query_range}. What it does not
 * understand it refuses as {@code bad_data}.
 */
public final class LocalPrometheus implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_STEPS = 11_000;
  private static final Duration FOR_GOOD = Duration.ofDays(1_000);

  /** A busy machine may take longer for a page than the interval; scrapes may overlap. */
  private static final Duration SCRAPE_TIMEOUT = Duration.ofSeconds(5);

  private final Supplier<List<Target>> targets;
  private final Duration retention;
  private final Clock clock;
  private final SampleStore store;
  private final HttpServer server;
  private final HttpClient client;
  private final ScheduledExecutorService scraper =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("local-prometheus").factory());

  /**
   * A process to scrape.
   *
   * @param labels added to its series where it does not write them itself
   */
  public record Target(URI metrics, Map<String, String> labels) {}

  private LocalPrometheus(
      Supplier<List<Target>> targets, Duration retention, Clock clock, HttpServer server) {
    this.targets = targets;
    this.retention = retention;
    this.clock = clock;
    this.store = new SampleStore(retention.toMillis());
    this.server = server;
    this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  /**
   * Starts on a port of the system's choice.
   *
   * @param targets asked anew before each scrape
   */
  public static LocalPrometheus start(
      Supplier<List<Target>> targets, Duration scrapeInterval, Duration retention) {
    LocalPrometheus local = serving(targets, retention);
    local.scraper.scheduleAtFixedRate(
        local::scrape, 0, scrapeInterval.toNanos(), TimeUnit.NANOSECONDS);
    return local;
  }

  /** Takes samples, each series' oldest first. */
  public interface Recorder {
    void sample(String metric, Map<String, String> labels, Instant at, double value);
  }

  /** Knows what was recorded and scrapes nothing. */
  public static LocalPrometheus recorded(Consumer<Recorder> recording) {
    LocalPrometheus local = serving(List::of, FOR_GOOD);
    recording.accept(
        (metric, labels, at, value) -> local.store.add(metric, labels, at.toEpochMilli(), value));
    return local;
  }

  private static LocalPrometheus serving(Supplier<List<Target>> targets, Duration retention) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      LocalPrometheus local = new LocalPrometheus(targets, retention, Clock.systemUTC(), server);
      server.createContext("/api/v1/query_range", local::range);
      server.createContext("/api/v1/query", local::instant);
      server.start();
      return local;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void scrape() {
    for (Target target : targets.get()) {
      HttpRequest request =
          HttpRequest.newBuilder(target.metrics())
              .timeout(SCRAPE_TIMEOUT)
              .header("accept", "text/plain;version=0.0.4")
              .build();
      long now = clock.millis();
      client
          .sendAsync(request, HttpResponse.BodyHandlers.ofString())
          .thenAccept(
              response -> {
                if (response.statusCode() == 200) {
                  keep(target, response.body(), now);
                }
              });
    }
    store.forgetBefore(clock.millis() - retention.toMillis());
  }

  private void keep(Target target, String text, long now) {
    ExpositionText.read(
        text,
        (metric, labels, value) -> {
          Map<String, String> all = new HashMap<>(target.labels());
          all.putIfAbsent("instance", target.metrics().getAuthority());
          all.putAll(labels);
          store.add(metric, Map.copyOf(all), now, value);
        });
  }

  private void range(HttpExchange exchange) throws IOException {
    answer(
        exchange,
        form -> {
          long start = time(form, "start");
          long end = time(form, "end");
          long step = step(form);
          if (step <= 0 || end < start || (end - start) / step > MOST_STEPS) {
            throw new IllegalArgumentException("invalid range from start, end and step");
          }
          Expression expression = ExpressionParser.parse(form.getOrDefault("query", ""));
          Evaluator evaluator = new Evaluator(store);
          Map<Map<String, String>, List<Point>> series = new LinkedHashMap<>();
          for (long at = start; at <= end; at += step) {
            long millis = at;
            evaluator
                .at(expression, millis)
                .forEach(
                    (labels, value) ->
                        series
                            .computeIfAbsent(labels, _ -> new ArrayList<>())
                            .add(new Point(millis, value)));
          }
          return new Result("matrix", series);
        });
  }

  private void instant(HttpExchange exchange) throws IOException {
    answer(
        exchange,
        form -> {
          long at = form.containsKey("time") ? time(form, "time") : clock.millis();
          Map<Map<String, String>, List<Point>> series = new LinkedHashMap<>();
          new Evaluator(store)
              .at(ExpressionParser.parse(form.getOrDefault("query", "")), at)
              .forEach((labels, value) -> series.put(labels, List.of(new Point(at, value))));
          return new Result("vector", series);
        });
  }

  private record Point(long millis, double value) {}

  private record Result(String type, Map<Map<String, String>, List<Point>> series) {}

  private interface Answer {
    Result to(Map<String, String> form);
  }

  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String query = exchange.getRequestURI().getRawQuery();
      Map<String, String> form = form(query == null ? body : body + "&" + query);
      exchange.getResponseHeaders().add("content-type", "application/json");
      Result result;
      try {
        result = answer.to(form);
      } catch (IllegalArgumentException e) {
        exchange.sendResponseHeaders(400, 0);
        try (JsonGenerator json = JSON.createGenerator(exchange.getResponseBody())) {
          json.writeStartObject();
          json.writeStringField("status", "error");
          json.writeStringField("errorType", "bad_data");
          json.writeStringField("error", e.getMessage());
          json.writeEndObject();
        }
        return;
      }
      exchange.sendResponseHeaders(200, 0);
      try (JsonGenerator json = JSON.createGenerator(exchange.getResponseBody())) {
        write(json, result);
      }
    }
  }

  private static void write(JsonGenerator json, Result result) throws IOException {
    json.writeStartObject();
    json.writeStringField("status", "success");
    json.writeObjectFieldStart("data");
    json.writeStringField("resultType", result.type());
    json.writeArrayFieldStart("result");
    for (Map.Entry<Map<String, String>, List<Point>> series : result.series().entrySet()) {
      json.writeStartObject();
      json.writeObjectFieldStart("metric");
      for (Map.Entry<String, String> label : series.getKey().entrySet()) {
        json.writeStringField(label.getKey(), label.getValue());
      }
      json.writeEndObject();
      if (result.type().equals("matrix")) {
        json.writeArrayFieldStart("values");
        for (Point point : series.getValue()) {
          write(json, point);
        }
        json.writeEndArray();
      } else {
        json.writeFieldName("value");
        write(json, series.getValue().getFirst());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Point point) throws IOException {
    json.writeStartArray();
    json.writeNumber(BigDecimal.valueOf(point.millis(), 3));
    double value = point.value();
    json.writeString(
        Double.isNaN(value)
            ? "NaN"
            : Double.isInfinite(value)
                ? (value > 0 ? "+Inf" : "-Inf")
                : BigDecimal.valueOf(value).toPlainString());
    json.writeEndArray();
  }

  private static Map<String, String> form(String encoded) {
    Map<String, String> form = new HashMap<>();
    for (String field : encoded.split("&")) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        form.put(
            field.substring(0, equals),
            URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return form;
  }

  private static long time(Map<String, String> form, String name) {
    return new BigDecimal(form.getOrDefault(name, "")).movePointRight(3).longValue();
  }

  private static long step(Map<String, String> form) {
    String step = form.getOrDefault("step", "");
    return step.matches("[0-9.]+") ? time(form, "step") : ExpressionParser.millis(step);
  }

  @Override
  public void close() {
    scraper.shutdownNow();
    client.shutdownNow();
    server.stop(0);
  }
}
