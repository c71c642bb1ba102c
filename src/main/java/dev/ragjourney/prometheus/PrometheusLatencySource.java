package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.LatencySource;
import dev.ragjourney.rebalance.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Latencies from any store with Prometheus' HTTP API: three range queries a batch of journeys, each
 * tried once. Two batches are asked for at a time; one that fails costs its own journeys alone.
 *
 * <p>A query may take the configured time. All together may take half the interval, or the time of
 * one query if that is longer; what was not asked by then has failed.
 */
public final class PrometheusLatencySource implements LatencySource, AutoCloseable {
  private static final int SIDE_BY_SIDE = 2;

  private final PrometheusSettings settings;
  private final QueryApi api;
  private final ExecutorService batches =
      Executors.newFixedThreadPool(SIDE_BY_SIDE, Thread.ofVirtual().factory());
  private final ExecutorService queries = Executors.newVirtualThreadPerTaskExecutor();

  public PrometheusLatencySource(PrometheusSettings settings) {
    this.settings = settings;
    this.api = new QueryApi(settings);
  }

  @Override
  public LatencyReading read(
      Instant now, Duration window, Duration interval, Set<JourneyId> journeys) {
    Instant end = Instant.ofEpochMilli(now.toEpochMilli());
    long slices = Math.max(1, window.dividedBy(interval));
    QueryApi.Range range =
        new QueryApi.Range(end.minus(interval.multipliedBy(slices - 1)), end, interval);
    long deadline = System.nanoTime() + bound(interval).toNanos();
    List<Batch> asked = Batch.of(journeys);
    List<Callable<LatencyReading.Whole>> readings = new ArrayList<>();
    for (Batch batch : asked) {
      readings.add(() -> read(batch, range, deadline));
    }
    try {
      return together(asked, batches.invokeAll(readings));
    } catch (ExecutionException e) {
      return failed(e.getCause() + "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("the query was interrupted");
    }
  }

  private Duration bound(Duration interval) {
    Duration half = interval.dividedBy(2);
    return half.compareTo(settings.timeout()) > 0 ? half : settings.timeout();
  }

  private static LatencyReading together(
      List<Batch> asked, List<Future<LatencyReading.Whole>> answers)
      throws ExecutionException, InterruptedException {
    Map<JourneyId, JourneyWindow> measured = new HashMap<>();
    Map<JourneyId, LatencyReading.Unavailable> failed = new HashMap<>();
    List<LatencyReading.Unavailable> failures = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      switch (answers.get(i).get()) {
        case LatencyReading.Measured(var journeys) -> measured.putAll(journeys);
        case LatencyReading.Unavailable unavailable -> {
          failures.add(unavailable);
          asked.get(i).ids().forEach(id -> failed.put(id, unavailable));
        }
      }
    }
    if (failures.isEmpty()) {
      return new LatencyReading.Measured(measured);
    }
    return failures.size() == asked.size()
        ? failures.getFirst()
        : new LatencyReading.Partial(new LatencyReading.Measured(measured), failed);
  }

  private LatencyReading.Whole read(Batch batch, QueryApi.Range range, long deadline)
      throws InterruptedException {
    ReadingCollector collector = new ReadingCollector(range.step());
    SeriesSink sink =
        (labels, millis, values) -> {
          Map<String, String> named = new HashMap<>(labels);
          named.put(Labels.NAMESPACE, batch.namespace());
          collector.series(named, millis, values);
        };
    for (String query : Query.of(range.step(), settings.extraMatchers(), batch)) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      if (!left.isPositive()) {
        return failed("the time of the round was over before " + settings.url() + " was asked");
      }
      Duration most = left.compareTo(settings.timeout()) < 0 ? left : settings.timeout();
      Future<Boolean> answer =
          queries.submit(
              () -> {
                api.query(query, range, sink);
                return true;
              });
      try {
        answer.get(most.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return failed(api.late(query, most));
      } catch (ExecutionException e) {
        return failed(message(e));
      } finally {
        answer.cancel(true);
      }
    }
    return collector.reading();
  }

  private static LatencyReading.Unavailable failed(String message) {
    return new LatencyReading.Unavailable(Reasons.QUERY_FAILED, message);
  }

  private static String message(ExecutionException failure) {
    Throwable cause = failure.getCause();
    String message = cause == null ? null : cause.getMessage();
    return cause instanceof QueryFailedException && message != null ? message : cause + "";
  }

  @Override
  public void close() {
    batches.shutdownNow();
    queries.shutdownNow();
    api.close();
  }
}
