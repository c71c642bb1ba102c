package dev.ragjourney.operator;

import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.RebalancePolicy;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.time.Duration;

/** What the operator counts about itself. */
public final class OperatorMetrics {
  private static final double NANOS = 1e9;
  private static final String MOVED = "moved";
  private static final String ROLLED_BACK = "rolled_back";

  private final Counter rounds;
  private final Counter decisions;
  private final Counter moves;
  private final Counter writes;
  private final Gauge leftOut;
  private final Counter reconciles;
  private final Histogram reconcileSeconds;
  private final Histogram readSeconds;
  private final Gauge rollout;
  private final Gauge crdMissingFields;

  public OperatorMetrics(CollectorRegistry registry) {
    rounds =
        Counter.build("ragjourney_operator_rounds_total", "Readings of the latency source.")
            .labelNames("result")
            .register(registry);
    decisions =
        Counter.build("ragjourney_operator_decisions_total", "Decisions of rounds.")
            .labelNames("reason")
            .register(registry);
    moves =
        Counter.build(
                "ragjourney_rebalance_moves_total", "Moves of a journey's caps that were made.")
            .labelNames("namespace", "journey", "rule", "result")
            .register(registry);
    leftOut =
        Gauge.build(
                "ragjourney_rebalance_left_out",
                "Stages that a journey leaves out, and levels above the one that it begins at.")
            .labelNames("namespace", "journey")
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
    rollout =
        Gauge.build(
                "ragjourney_operator_rollout_journeys",
                "Journeys that a new default image or pod template is on its way to.")
            .labelNames("state")
            .register(registry);
    rollout(0, 0, 0);
    crdMissingFields =
        Gauge.build(
                "ragjourney_operator_crd_missing_fields",
                "Fields of this operator that the cluster's CRD lacks, as an older one does.")
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

  /**
   * @param rule its label
   */
  void moved(JourneyId id, String rule, boolean rolledBack) {
    moves.labels(id.namespace(), id.name(), rule, rolledBack ? ROLLED_BACK : MOVED).inc();
  }

  /**
   * @param rungs stages and levels that its journeys leave out
   */
  void leavesOut(JourneyId id, int rungs) {
    leftOut.labels(id.namespace(), id.name()).set(rungs);
  }

  /** Of a journey that is gone nothing is left. */
  void forget(JourneyId id) {
    leftOut.remove(id.namespace(), id.name());
    for (RebalancePolicy.Rule rule : RebalancePolicy.Rule.values()) {
      moves.remove(id.namespace(), id.name(), rule.label(), MOVED);
      moves.remove(id.namespace(), id.name(), rule.label(), ROLLED_BACK);
    }
  }

  void rollout(int waiting, int rolling, int failed) {
    rollout.labels("waiting").set(waiting);
    rollout.labels("rolling").set(rolling);
    rollout.labels("failed").set(failed);
  }

  void crdMissingFields(int number) {
    crdMissingFields.set(number);
  }

  void write(String kind, boolean accepted) {
    writes.labels(kind, accepted ? "accepted" : "refused").inc();
  }

  void reconcile(String result, Duration took) {
    reconciles.labels(result).inc();
    reconcileSeconds.observe(took.toNanos() / NANOS);
  }
}
