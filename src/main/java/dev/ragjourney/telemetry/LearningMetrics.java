package dev.ragjourney.telemetry;

import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.pipeline.JourneyListener.LateEnd;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.util.List;

/** What a pod does only to learn: calls that went on after their cut, better levels tried. */
final class LearningMetrics {
  private final String namespace;
  private final String journey;
  private final Family<Histogram.Child> late;
  private final Family<Counter.Child> sampled;
  private final Family<Counter.Child> probes;

  LearningMetrics(Family.Context in, Plan plan) {
    namespace = plan.namespace();
    journey = plan.journey();
    late =
        Family.histogram(
            in,
            plan.boundaries(),
            MetricNames.STAGE_LATE,
            "Time of a primary call that went on after it was cut at the cap",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE,
            MetricNames.VARIANT,
            MetricNames.OUTCOME);
    sampled =
        Family.counter(
            in,
            MetricNames.STAGE_LATE_SAMPLED,
            "Primary calls that went on after they were cut at the cap",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE);
    probes =
        Family.counter(
            in,
            MetricNames.PROBES,
            "Stages run in a better form than the time left picks",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.STAGE);
  }

  /** Shows at zero what this plan will count; a stage that is not in it is not shown any more. */
  void planLoaded(Plan plan) {
    List<String> stages = plan.stages().stream().map(StagePlan::name).toList();
    List<String> forms =
        plan.stages().stream()
            .flatMap(stage -> stage.variants().stream().map(form -> stage.name() + '/' + form.id()))
            .toList();
    late.keep(labels -> forms.contains(labels.get(2) + '/' + labels.get(3)));
    sampled.keep(labels -> stages.contains(labels.get(2)));
    probes.keep(labels -> stages.contains(labels.get(2)));
    LearningPolicy learns = plan.policy().learns();
    for (int i = 0; i < plan.stages().size(); i++) {
      String stage = plan.stages().get(i).name();
      VariantPlan full = plan.stages().get(i).variants().getFirst();
      if (learns.samples(plan.budget().stages().get(i)) && !embedded(plan, full)) {
        sampled.create(labels(stage));
        late.create(lateLabels(stage, full.id(), StageOutcome.SUCCESS));
        late.create(lateLabels(stage, full.id(), StageOutcome.TIMEOUT));
      }
      if (learns.probeShare() > 0 || !plan.budget().leaves().nothing()) {
        probes.create(labels(stage));
      }
    }
  }

  /** What is embedded computes in this pod, and such calls never go on. */
  private static boolean embedded(Plan plan, VariantPlan form) {
    return plan.backends().stream()
        .anyMatch(
            backend -> backend.name().equals(form.backend()) && backend.kind().equals("embedded"));
  }

  void sampled(String stage) {
    sampled.record(labels(stage), Counter.Child::inc);
  }

  void ended(LateEnd end) {
    late.record(
        lateLabels(end.stage(), end.form().variant(), end.outcome()),
        child -> child.observe(end.elapsedNanos() / 1e9));
  }

  void probed(String stage) {
    probes.record(labels(stage), Counter.Child::inc);
  }

  private List<String> labels(String stage) {
    return List.of(namespace, journey, stage);
  }

  private List<String> lateLabels(String stage, String variant, StageOutcome outcome) {
    return List.of(namespace, journey, stage, variant, outcome.label());
  }
}
