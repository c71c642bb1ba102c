package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.pipeline.HedgeOutcome;
import dev.ragjourney.pipeline.JourneyListener;
import dev.ragjourney.pipeline.PodLoad;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.plan.Plan;
import io.prometheus.client.CollectorRegistry;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens on journeys. Its series follow the plan in force: those that will be used
 * exist from the start at zero, and what an old plan's last journeys do to stages, forms or levels
 * that are gone is not counted.
 */
public final class PrometheusListener implements JourneyListener {
  /** Of all series of the pod, shown at once. */
  public static final int MAX_SERIES = 2_000;

  /** What the JVM's own collectors and the pod's figures may use of it. */
  private static final int SERIES_OF_THE_POD = 250;

  private final PodMetrics pod = new PodMetrics();
  private volatile @Nullable PlanMetrics current;

  /** To be called before the first journey of this plan starts. */
  public synchronized void planLoaded(Plan plan) {
    PlanMetrics before = current;
    current =
        before != null && before.sameLayout(plan)
            ? before.with(plan)
            : PlanMetrics.of(
                plan, new SeriesAllowance(MAX_SERIES - SERIES_OF_THE_POD, pod.dropped()));
    pod.planLoaded(plan);
  }

  /** Shows on every scrape what the backends have from this pod. */
  public void watch(Supplier<PodLoad> load) {
    pod.load().watch(load);
  }

  /** A plan was read and could not be used; the one before it stays in force. */
  public void planRefused() {
    pod.planRefused();
  }

  /** A header that tells the remaining time could not be read. */
  public void budgetHeaderIgnored(String header) {
    pod.budgetHeaderIgnored(header);
  }

  /** Where to read how busy the pod is. */
  public void watchPlaces(Supplier<PodPlaces> places) {
    pod.admissions().of(places);
  }

  /** A question arrived, and after its wait that became of it. */
  public void admission(Admitted result, long waitedNanos) {
    pod.admissions().record(result, waitedNanos);
  }

  /** Everything there is to scrape. */
  List<CollectorRegistry> registries() {
    PlanMetrics now = current;
    return now == null ? List.of(pod.registry()) : List.of(now.registry(), pod.registry());
  }

  @Override
  public void stageStarted(StageStart start) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(start.stage())) {
      now.stages().started(start);
    }
  }

  @Override
  public void stageEnded(StageEnd end) {
    PlanMetrics now = current;
    if (now != null && now.knowsForm(end.stage(), end.form().variant())) {
      now.stages().ended(end);
    }
  }

  @Override
  public void stageSkipped(Route route, String stage, String reason) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(stage)) {
      now.stages().skipped(stage, reason);
    }
  }

  @Override
  public void stageWouldBeCut(Route route, String stage, String reason) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(stage)) {
      now.stages().wouldBeCut(stage, reason);
    }
  }

  @Override
  public void lateSampled(Route route, String stage) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(stage)) {
      now.learning().sampled(stage);
    }
  }

  @Override
  public void lateEnded(LateEnd end) {
    PlanMetrics now = current;
    if (now != null && now.knowsForm(end.stage(), end.form().variant())) {
      now.learning().ended(end);
    }
  }

  @Override
  public void probed(Route route, String stage) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(stage)) {
      now.learning().probed(stage);
    }
  }

  @Override
  public void backendCalled(BackendCall call) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(call.stage()) && now.backends().knows(call.backend())) {
      now.backends().called(call);
    }
  }

  @Override
  public void hedged(Route route, String stage, HedgeOutcome outcome) {
    PlanMetrics now = current;
    if (now != null && now.knowsStage(stage)) {
      now.stages().hedged(stage, outcome);
    }
  }

  @Override
  public void tokensUsed(TokensUsed tokens) {
    PlanMetrics now = current;
    if (now != null && now.backends().knows(tokens.backend())) {
      now.backends().tokensUsed(tokens);
    }
  }

  @Override
  public void generateReached(Route route, long remainingNanos) {
    PlanMetrics now = current;
    if (now != null) {
      now.journeys().generateReached(remainingNanos);
    }
  }

  @Override
  public void answerLookedUp(Route route, AnswerCache.Lookup lookup) {
    PlanMetrics now = current;
    if (now != null) {
      now.cache().lookedUp(lookup);
    }
  }

  @Override
  public void answerKept(Route route, AnswerCache.Stock stock) {
    PlanMetrics now = current;
    if (now != null) {
      now.cache().kept(stock);
    }
  }

  @Override
  public void journeyEnded(Route route, Question question, Answer answer) {
    PlanMetrics now = current;
    if (now != null && now.levels().contains(answer.levelName())) {
      now.journeys().ended(route, question, answer);
    }
  }
}
