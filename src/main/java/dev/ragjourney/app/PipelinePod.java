package dev.ragjourney.app;

import dev.ragjourney.pipeline.JourneyRunner;
import dev.ragjourney.pipeline.Machinery;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.server.BackendFactory;
import dev.ragjourney.server.ConcurrencyLimit;
import dev.ragjourney.server.PlanStore;
import dev.ragjourney.server.PlanWatcher;
import dev.ragjourney.server.PodServer;
import dev.ragjourney.telemetry.DegradationLog;
import dev.ragjourney.telemetry.Listeners;
import dev.ragjourney.telemetry.Otlp;
import dev.ragjourney.telemetry.PrometheusListener;
import dev.ragjourney.telemetry.Tracing;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** A pipeline pod: its objects, wired, started and stopped. */
final class PipelinePod implements AutoCloseable {
  /** A change of the plan that no event tells of is found this soon. */
  private static final Duration POLL = Duration.ofSeconds(2);

  /** Documents that two looks find changed alike are read again. */
  private static final Duration REFRESH = Duration.ofSeconds(5);

  private final Machinery machinery;
  private final Optional<OpenTelemetrySdk> tracer;
  private final JourneyRunner runner;
  private final PlanStore plans;
  private final PlanWatcher watcher;
  private final PodServer server;

  PipelinePod(PipelineSettings settings, Map<String, String> environment, BackendFactory backends) {
    ConcurrencyLimit limit =
        new ConcurrencyLimit(
            settings.maxJourneys(),
            Runtime.getRuntime().availableProcessors(),
            MonotonicTime.system());
    machinery = Machinery.real(limit);
    tracer = Otlp.fromEnvironment(environment);
    InstantSource clock = InstantSource.system();
    PrometheusListener metrics = new PrometheusListener();
    Tracing tracing =
        new Tracing(tracer.map(sdk -> sdk.getTracer("dev.ragjourney")).orElse(null), clock);
    DegradationLog degradations =
        new DegradationLog(LoggerFactory.getLogger("dev.ragjourney.degradation"));
    runner = new JourneyRunner(machinery, new Listeners(List.of(metrics, tracing, degradations)));
    metrics.watch(runner::load);
    plans = new PlanStore(backends, metrics, clock);
    watcher = new PlanWatcher(settings.planDirectory(), plans, POLL, REFRESH);
    server =
        new PodServer(
            new PodServer.Settings(
                settings.bind(), settings.port(), settings.adminPort(), settings.settle()),
            limit,
            plans,
            runner::run,
            metrics,
            tracing,
            machinery.time(),
            clock);
    runner.learnWhile(server::spare);
  }

  void start() {
    server.start();
    watcher.start();
  }

  int port() {
    return server.port();
  }

  int adminPort() {
    return server.adminPort();
  }

  /** What nobody waits for, then journeys, then what they need, the news of them last. */
  @Override
  public void close() {
    runner.endLearning();
    server.close();
    watcher.close();
    plans.close();
    machinery.close();
    tracer.ifPresent(OpenTelemetrySdk::close);
  }
}
