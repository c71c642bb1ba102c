package dev.ragjourney.operator;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.time.Duration;

/** What the operator counts about itself. */
public final class OperatorMetrics {
  private static final double NANOS = 1e9;

  private final Counter rounds;
  private final Counter decisions;
  private final Counter writes;
  private final Counter reconciles;
  private final Histogram reconcileSeconds;
  private final Histogram readSeconds;

  public OperatorMetrics(CollectorRegistry registry) {
    rounds =
        Counter.build("ragjourney_operator_rounds_total", "Readings of the latency source.")
            .labelNames("result")
            .register(registry);
    decisions =
        Counter.build("ragjourney_operator_decisions_total", "Decisions of rounds.")
            .labelNames("reason")
            .register(registry);
    writes =
        Counter.build("ragjourney_operator_writes_total", "Writes to the API server.")
            .labelNames("kind", "result")
            .register(registry);
    reconciles =
        Counter.build("ragjourney_operator_reconciles_total", "Reconciles of journeys.")
            .labelNames("result")
            .register(registry);
    reconcileSeconds =
        Histogram.build("ragjourney_operator_reconcile_seconds", "Time of a reconcile.")
            .register(registry);
    readSeconds =
        Histogram.build("ragjourney_operator_reading_seconds", "Time of a reading of latencies.")
            .register(registry);
    for (String result : new String[] {"measured", "unavailable"}) {
      rounds.labels(result);
    }
    for (String result : new String[] {"done", "conflict", "failed"}) {
      reconciles.labels(result);
    }
  }

  void round(boolean measured, Duration took) {
    rounds.labels(measured ? "measured" : "unavailable").inc();
    readSeconds.observe(took.toNanos() / NANOS);
  }

  void decision(String reason) {
    decisions.labels(reason).inc();
  }

  void write(String kind, boolean accepted) {
    writes.labels(kind, accepted ? "accepted" : "refused").inc();
  }

  void reconcile(String result, Duration took) {
    reconciles.labels(result).inc();
    reconcileSeconds.observe(took.toNanos() / NANOS);
  }
}
