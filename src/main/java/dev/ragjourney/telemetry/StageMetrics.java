package dev.ragjourney.telemetry;

import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.pipeline.Cut;
import dev.ragjourney.pipeline.HedgeOutcome;
import dev.ragjourney.pipeline.JourneyListener.StageEnd;
import dev.ragjourney.pipeline.JourneyListener.StageStart;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What stages did: durations of primary calls, starts, skips, timeouts, degraded results, caps. */
final class StageMetrics {
  private static final List<String> SKIP_REASONS =
      List.of("no_time", "level", "breaker", "overload", "drill");

  private static final List<String> WOULD_CUT_REASONS =
      List.of("cap", "deadline", "no_time", "level");

  private final String namespace;
  private final String journey;
  private final Family<Histogram.Child> duration;
  private final Family<Counter.Child> started;
  private final Family<Counter.Child> skipped;
  private final Family<Counter.Child> wouldCut;
  private final Family<Counter.Child> timeouts;
  private final Family<Counter.Child> degraded;
  private final Family<Counter.Child> hedges;
  private final Family<Gauge.Child> cap;

  StageMetrics(Family.Context in, Plan plan) {
    namespace = plan.namespace();
    journey = plan.journey();
    duration =
        Family.histogram(
            in,
            plan.boundaries(),
            MetricNames.STAGE_DURATION,
            "Time of a stage's primary call until it ended or was cut",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE,
            MetricNames.VARIANT,
            MetricNames.OUTCOME,
            MetricNames.CUT);
    started = counter(in, MetricNames.STAGE_STARTED, "Primary calls started");
    skipped =
        counter(
            in, MetricNames.STAGE_SKIPPED, "Stages not started or given up", MetricNames.REASON);
    wouldCut =
        counter(
            in,
            MetricNames.STAGE_WOULD_CUT,
            "Stages that the rules would have cut or left out, where they only watch",
            MetricNames.REASON);
    timeouts = counter(in, MetricNames.STAGE_TIMEOUTS, "Primary calls cut off", MetricNames.CUT);
    degraded =
        counter(
            in,
            MetricNames.STAGE_DEGRADED,
            "Stage results that are less than they should be",
            MetricNames.REASON);
    hedges =
        counter(
            in,
            MetricNames.HEDGES,
            "Second copies of slow calls that were due",
            MetricNames.RESULT);
    cap =
        Family.gauge(
            in,
            MetricNames.STAGE_CAP,
            "The cap in force",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE);
  }

  private static Family<Counter.Child> counter(
      Family.Context in, String name, String help, String... more) {
    List<String> labels = new ArrayList<>();
    labels.add(MetricNames.NAMESPACE);
    labels.add(MetricNames.JOURNEY);
    labels.add(MetricNames.STAGE);
    labels.addAll(List.of(more));
    return Family.counter(in, name, help, labels.toArray(String[]::new));
  }

  /** Shows at zero what this plan will count; a stage that is not in it is not shown any more. */
  void planLoaded(Plan plan) {
    List<String> stages = plan.stages().stream().map(StagePlan::name).toList();
    List<String> forms =
        plan.stages().stream()
            .flatMap(stage -> stage.variants().stream().map(form -> stage.name() + '/' + form.id()))
            .toList();
    duration.keep(labels -> forms.contains(labels.get(2) + '/' + labels.get(3)));
    for (Family<?> family : List.of(started, skipped, wouldCut, timeouts, degraded, hedges)) {
      family.keep(labels -> stages.contains(labels.get(2)));
    }
    List<String> capped =
        plan.budget().stages().stream()
            .filter(stage -> stage.cap() != null)
            .map(StageBudget::name)
            .toList();
    cap.keep(labels -> capped.contains(labels.get(2)));
    for (int i = 0; i < plan.stages().size(); i++) {
      create(plan.budget().stages().get(i), plan.stages().get(i));
    }
    if (plan.policy().enforcement() == Enforcement.OBSERVE) {
      for (String stage : stages) {
        WOULD_CUT_REASONS.forEach(reason -> wouldCut.create(labels(stage, reason)));
      }
    }
  }

  private void create(StageBudget budget, StagePlan stage) {
    String name = stage.name();
    started.create(labels(name));
    SKIP_REASONS.forEach(reason -> skipped.create(labels(name, reason)));
    timeouts.create(labels(name, Cut.DEADLINE.label()));
    if (budget.hedge() != null) {
      for (HedgeOutcome outcome : HedgeOutcome.values()) {
        hedges.create(labels(name, outcome.label()));
      }
    }
    for (VariantPlan form : stage.variants()) {
      duration.create(durationLabels(name, form.id(), StageOutcome.SUCCESS, Cut.NONE));
      duration.create(durationLabels(name, form.id(), StageOutcome.TIMEOUT, Cut.DEADLINE));
    }
    String full = stage.variants().getFirst().id();
    duration.create(durationLabels(name, full, StageOutcome.ERROR, Cut.NONE));
    Duration inForce = budget.cap();
    if (inForce != null) {
      timeouts.create(labels(name, Cut.CAP.label()));
      for (VariantPlan form : stage.variants()) {
        duration.create(durationLabels(name, form.id(), StageOutcome.TIMEOUT, Cut.CAP));
      }
      cap.record(labels(name), gauge -> gauge.set(inForce.toNanos() / 1e9));
    }
  }

  void started(StageStart start) {
    started.record(labels(start.stage()), Counter.Child::inc);
  }

  void ended(StageEnd end) {
    duration.record(
        durationLabels(end.stage(), end.form().variant(), end.outcome(), end.cut()),
        child -> child.observe(end.elapsedNanos() / 1e9));
    if (end.outcome() == StageOutcome.TIMEOUT) {
      timeouts.record(labels(end.stage(), end.cut().label()), Counter.Child::inc);
    }
    String reason = end.degradedReason();
    if (reason != null || end.resultOutcome() == StageOutcome.DEGRADED) {
      degraded.record(
          labels(end.stage(), reason != null ? reason : "fallback"), Counter.Child::inc);
    }
  }

  void hedged(String stage, HedgeOutcome outcome) {
    hedges.record(labels(stage, outcome.label()), Counter.Child::inc);
  }

  void skipped(String stage, String reason) {
    skipped.record(labels(stage, reason), Counter.Child::inc);
  }

  void wouldBeCut(String stage, String reason) {
    wouldCut.record(labels(stage, reason), Counter.Child::inc);
  }

  private List<String> durationLabels(String stage, String variant, StageOutcome outcome, Cut cut) {
    return List.of(namespace, journey, stage, variant, outcome.label(), cut.label());
  }

  private List<String> labels(String stage) {
    return List.of(namespace, journey, stage);
  }

  private List<String> labels(String stage, String more) {
    return List.of(namespace, journey, stage, more);
  }
}
