package dev.ragjourney.telemetry;

import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import io.prometheus.client.CollectorRegistry;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The collectors of one layout of histograms, and what of it the plan in force uses.
 *
 * @param plan in force
 * @param forms ids of the forms that the plan knows, by stage
 * @param levels names of the levels that the plan knows
 */
record PlanMetrics(
    Plan plan,
    Map<String, Set<String>> forms,
    Set<String> levels,
    CollectorRegistry registry,
    StageMetrics stages,
    JourneyMetrics journeys,
    BackendMetrics backends,
    CacheMetrics cache,
    LearningMetrics learning) {

  static PlanMetrics of(Plan plan, SeriesAllowance allowance) {
    Family.Context in = new Family.Context(new CollectorRegistry(), allowance);
    StageMetrics stages = new StageMetrics(in, plan);
    JourneyMetrics journeys = new JourneyMetrics(in, plan);
    BackendMetrics backends = new BackendMetrics(in, plan);
    CacheMetrics cache = new CacheMetrics(in, plan);
    LearningMetrics learning = new LearningMetrics(in, plan);
    return loaded(plan, in.registry(), stages, journeys, backends, cache, learning);
  }

  /** Another plan with the same layout: what both know goes on counting. */
  PlanMetrics with(Plan next) {
    return loaded(next, registry, stages, journeys, backends, cache, learning);
  }

  private static PlanMetrics loaded(
      Plan plan,
      CollectorRegistry registry,
      StageMetrics stages,
      JourneyMetrics journeys,
      BackendMetrics backends,
      CacheMetrics cache,
      LearningMetrics learning) {
    stages.planLoaded(plan);
    journeys.planLoaded(plan);
    backends.planLoaded(plan);
    cache.planLoaded(plan);
    learning.planLoaded(plan);
    return new PlanMetrics(
        plan,
        plan.stages().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    StagePlan::name,
                    stage ->
                        stage.variants().stream()
                            .map(VariantPlan::id)
                            .collect(Collectors.toUnmodifiableSet()))),
        plan.budget().levels().stream()
            .map(FallbackLevel::name)
            .collect(Collectors.toUnmodifiableSet()),
        registry,
        stages,
        journeys,
        backends,
        cache,
        learning);
  }

  /** Histograms with other boundaries, or of another journey, cannot go on counting. */
  boolean sameLayout(Plan next) {
    return plan.namespace().equals(next.namespace())
        && plan.journey().equals(next.journey())
        && plan.budget().total().equals(next.budget().total())
        && plan.boundaries().equals(next.boundaries());
  }

  boolean knowsStage(String stage) {
    return forms.containsKey(stage);
  }

  boolean knowsForm(String stage, String variant) {
    return forms.getOrDefault(stage, Set.of()).contains(variant);
  }
}
