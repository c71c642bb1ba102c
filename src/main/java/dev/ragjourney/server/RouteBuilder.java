package dev.ragjourney.server;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.StageForm;
import dev.ragjourney.pipeline.StageRoute;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** From a plan and its open backends to the route that journeys take. */
final class RouteBuilder {
  private RouteBuilder() {}

  /**
   * @param plan checked by its codec
   * @param backends by name
   * @throws IllegalArgumentException if a backend does not serve a stage that names it
   */
  static Route build(Plan plan, Map<String, Backend> backends) {
    List<StageRoute> stages = new ArrayList<>();
    for (int i = 0; i < plan.stages().size(); i++) {
      stages.add(stage(plan, plan.budget().stages().get(i), plan.stages().get(i), backends));
    }
    return new Route(
        plan.namespace(),
        plan.journey(),
        plan.revision(),
        plan.budget(),
        stages,
        plan.backends().stream()
            .collect(Collectors.toMap(BackendPlan::name, BackendPlan::maxConcurrent)),
        plan.staticMessage(),
        plan.levels().stream()
            .map(level -> level.hint() == null ? plan.degradedHint() : level.hint())
            .toList(),
        plan.refuseWithoutContext(),
        plan.policy(),
        null);
  }

  private static StageRoute stage(
      Plan plan, StageBudget budget, StagePlan stage, Map<String, Backend> backends) {
    Map<String, StageForm> forms = new HashMap<>();
    for (VariantPlan variant : stage.variants()) {
      forms.put(variant.id(), form(budget, variant, backends));
    }
    StageForm current = forms.get(stage.variants().getFirst().id());
    List<StageForm> byLevel = new ArrayList<>();
    for (int level = 0; level < plan.levels().size(); level++) {
      if (runs(plan.budget().levels().get(level), stage.name())) {
        String variant = plan.levels().get(level).variants().get(stage.name());
        current = forms.get(variant == null ? stage.variants().getFirst().id() : variant);
      }
      byLevel.add(current);
    }
    VariantPlan fallback = stage.fallback();
    VariantPlan speculative = stage.speculative();
    return new StageRoute(
        stage.name(),
        byLevel,
        fallback == null ? null : form(budget, fallback, backends),
        speculative == null ? null : form(budget, speculative, backends));
  }

  private static boolean runs(FallbackLevel level, String stage) {
    return level.answer() == AnswerSource.STAGES && !level.skip().contains(stage);
  }

  private static StageForm form(
      StageBudget stage, VariantPlan variant, Map<String, Backend> backends) {
    Backend backend = backends.get(variant.backend());
    if (backend == null) {
      throw new IllegalArgumentException("there is no backend " + variant.backend());
    }
    return new StageForm(
        variant.id(),
        variant.backend(),
        backend.port(stage.type()),
        variant.topK(),
        variant.ef(),
        variant.keywordOnly(),
        variant.maxTokens(),
        variant.maxContextTokens(),
        variant.instructions(),
        variant.noContextInstructions(),
        variant.reasoningEffort());
  }
}
