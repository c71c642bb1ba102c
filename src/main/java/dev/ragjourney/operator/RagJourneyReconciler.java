package dev.ragjourney.operator;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.operator.status.JourneyEvent;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.Reasons;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gather, decide, act; no decision is made here. */
@ControllerConfiguration(name = "ragjourney")
final class RagJourneyReconciler implements Reconciler<RawJourney> {
  private static final Logger LOG = LoggerFactory.getLogger(RagJourneyReconciler.class);
  private static final Duration SOON = Duration.ofMillis(500);
  private static final Duration LATER = Duration.ofSeconds(30);

  private final Watches watches;
  private final Memory memory;
  private final ObservationGatherer gatherer;
  private final Act act;
  private final Writer writer;
  private final EventRecorder events;
  private final PlanDelivery delivery;
  private final Rounds rounds;
  private final StatusMemory statuses;
  private final RecentWrites recent;
  private final PacedSignals paced;
  private final OperatorMetrics metrics;

  RagJourneyReconciler(
      Watches watches,
      Memory memory,
      ObservationGatherer gatherer,
      Act act,
      Writer writer,
      EventRecorder events,
      PlanDelivery delivery,
      Rounds rounds,
      StatusMemory statuses,
      RecentWrites recent,
      PacedSignals paced,
      OperatorMetrics metrics) {
    this.watches = watches;
    this.memory = memory;
    this.gatherer = gatherer;
    this.act = act;
    this.writer = writer;
    this.events = events;
    this.delivery = delivery;
    this.rounds = rounds;
    this.statuses = statuses;
    this.recent = recent;
    this.paced = paced;
    this.metrics = metrics;
  }

  @Override
  public List<EventSource<?, RawJourney>> prepareEventSources(
      EventSourceContext<RawJourney> context) {
    return watches.sources(context);
  }

  @Override
  public UpdateControl<RawJourney> reconcile(RawJourney watched, Context<RawJourney> context) {
    JourneyId id = watched.id();
    if (watched.getMetadata().getDeletionTimestamp() != null) {
      return UpdateControl.noUpdate();
    }
    memory.meet(id, watched.getMetadata().getUid());
    long started = System.nanoTime();
    String result = "failed";
    try (LogContext log = LogContext.of(id)) {
      Duration next =
          reconcile(id, statuses.newest(id, watched), () -> Children.of(context, id, recent), log);
      result = "done";
      return UpdateControl.<RawJourney>noUpdate().rescheduleAfter(next);
    } catch (KubernetesClientException e) {
      if (Failures.conflict(e)) {
        result = "conflict";
        return UpdateControl.<RawJourney>noUpdate().rescheduleAfter(SOON);
      }
      if (Failures.namespaceTerminating(e) || Failures.notFound(e)) {
        result = "done";
        if (Failures.namespaceTerminating(e)) {
          events.end(id);
        }
        LOG.debug("{} is going away: {}", id, e.getMessage());
        return UpdateControl.<RawJourney>noUpdate().rescheduleAfter(LATER);
      }
      LOG.debug("the API server failed this attempt", e);
      throw new ApiFailureException(e);
    } finally {
      paced.reconciled(id);
      metrics.reconcile(result, Duration.ofNanos(System.nanoTime() - started));
    }
  }

  /**
   * @param known what the watches know now; what they have caught up with is remembered no more
   */
  private Duration reconcile(
      JourneyId id, RawJourney raw, Supplier<Children> known, LogContext log) {
    Observation seen = gatherer.gather(raw, known.get());
    ReconcilePlan plan = ReconcilePlanner.plan(seen);
    List<JourneyEvent> toTell = new ArrayList<>();
    Duration next = plan.nextCheck();
    if (plan.desired() instanceof Desired.Objects desired) {
      log.revision(desired.plan().revision());
      Act.Outcome outcome = act.carryOut(seen, desired);
      toTell.addAll(outcome.events());
      if (outcome.refusal() != null) {
        next = LATER;
        plan = ReconcilePlanner.plan(seen.withRefusal(outcome.refusal()));
      } else {
        if (desired.moved() && desired.lastMove() != null) {
          metrics.moved(
              id,
              desired.journey().rebalance().rule().label(),
              Reasons.ROLLED_BACK.equals(desired.lastMove().reason()));
        }
        JourneyBudget budget = desired.plan().budget();
        metrics.leavesOut(id, budget.leaves().stages().size() + budget.startLevel());
        follow(id, seen, desired);
        if (!outcome.applied().isEmpty()) {
          var _ = known.get();
          plan = ReconcilePlanner.plan(seen.withCreated(outcome.applied()), desired);
        }
      }
    }
    if (!Writer.json(plan.status()).equals(raw.getStatus())) {
      statuses.wrote(id, writer.status(raw, plan.status()));
      watches.journey(id).ifPresent(statuses::told);
    }
    toTell.addAll(plan.events());
    toTell.forEach(event -> events.record(seen.journey(), event, seen.now()));
    LOG.debug("reconciled; looked at again in {} at the latest", next);
    return next;
  }

  private void follow(JourneyId id, Observation seen, Desired.Objects desired) {
    rounds.follow(
        new Rounds.Subject(
            id,
            desired.plan().budget(),
            desired.journey().rebalance(),
            LastMove.remembered(desired.lastMove(), desired.changed()),
            seen.journey().paused(),
            desired.plan().revision()));
    delivery.expect(
        id,
        new PlanDelivery.Target(
            desired.plan().revision(),
            desired.apply().stream()
                .filter(ConfigMap.class::isInstance)
                .map(map -> map.getMetadata().getName())
                .collect(Collectors.toSet()),
            seen.pods()));
  }
}
