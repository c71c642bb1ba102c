package dev.ragjourney.prometheus;

import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.LatencySource;
import dev.ragjourney.rebalance.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Latencies from any store with Prometheus' HTTP API: three range queries a round, side by side,
 * each tried once, all of them within the configured time.
 */
public final class PrometheusLatencySource implements LatencySource, AutoCloseable {
  private final PrometheusSettings settings;
  private final QueryApi api;
  private final ExecutorService queries = Executors.newVirtualThreadPerTaskExecutor();

  public PrometheusLatencySource(PrometheusSettings settings) {
    this.settings = settings;
    this.api = new QueryApi(settings);
  }

  @Override
  public LatencyReading read(Instant now, Duration window, Duration interval) {
    Instant end = Instant.ofEpochMilli(now.toEpochMilli());
    long slices = Math.max(1, window.dividedBy(interval));
    QueryApi.Range range =
        new QueryApi.Range(end.minus(interval.multipliedBy(slices - 1)), end, interval);
    ReadingCollector collector = new ReadingCollector(interval);
    List<Callable<Boolean>> asked = new ArrayList<>();
    for (String query : Query.round(interval, settings.extraMatchers())) {
      asked.add(
          () -> {
            api.query(query, range, collector);
            return true;
          });
    }
    try {
      for (Future<Boolean> answer :
          queries.invokeAll(asked, settings.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
        answer.get();
      }
      return collector.reading();
    } catch (CancellationException e) {
      return failed(
          settings.url() + " did not answer within " + settings.timeout().toMillis() + " ms");
    } catch (ExecutionException e) {
      return failed(message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("the query was interrupted");
    }
  }

  private static LatencyReading failed(String message) {
    return new LatencyReading.Unavailable(Reasons.QUERY_FAILED, message);
  }

  private static String message(ExecutionException failure) {
    Throwable cause = failure.getCause();
    String message = cause == null ? null : cause.getMessage();
    return cause instanceof QueryFailedException && message != null ? message : cause + "";
  }

  @Override
  public void close() {
    queries.shutdownNow();
    api.close();
  }
}
