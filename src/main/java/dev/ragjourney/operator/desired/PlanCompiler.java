package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.parsed.ObjectKey;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.ParsedStage;
import dev.ragjourney.crd.parsed.StageForm;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.LevelPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import dev.ragjourney.rebalance.JourneyId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** From a valid spec and the caps in force to the document that pods read. */
public final class PlanCompiler {
  private PlanCompiler() {}

  /**
   * The plan with the declared caps.
   *
   * @param generation of the spec
   * @param revision of the document
   */
  public static Plan compile(JourneyId id, ParsedJourney journey, long generation, long revision) {
    return new Plan(
        Plan.SCHEMA_VERSION,
        id.namespace(),
        id.name(),
        generation,
        revision,
        journey.budget(),
        journey.stages().stream().map(PlanCompiler::stage).toList(),
        journey.levels().stream()
            .map(level -> new LevelPlan(level.name(), level.variants(), level.hint()))
            .toList(),
        journey.backends().stream().map(PlanCompiler::backend).toList(),
        journey.staticMessage(),
        journey.degradedHint(),
        journey.refuseWithoutContext(),
        journey.policy(),
        LatencyBoundaries.of(journey.budget().total()),
        journey.warmUp());
  }

  /** The same plan with other caps in force; stages that are not named keep theirs. */
  public static Plan withCaps(Plan plan, Map<String, Duration> caps) {
    List<StageBudget> stages =
        plan.budget().stages().stream()
            .map(
                stage -> {
                  Duration cap = caps.get(stage.name());
                  return cap == null ? stage : stage.withCap(cap);
                })
            .toList();
    return copy(plan, plan.generation(), plan.revision(), plan.budget().withStages(stages));
  }

  /** The same plan with these hold-backs in force and no others. */
  public static Plan withHoldBacks(Plan plan, Map<String, Duration> holdBacks) {
    List<StageBudget> stages =
        plan.budget().stages().stream()
            .map(stage -> stage.withHoldBack(holdBacks.get(stage.name())))
            .toList();
    return copy(plan, plan.generation(), plan.revision(), plan.budget().withStages(stages));
  }

  /** The same plan with this left out and nothing else. */
  public static Plan leaving(Plan plan, LeftOut left) {
    return copy(plan, plan.generation(), plan.revision(), plan.budget().leaving(left));
  }

  public static Plan withRevision(Plan plan, long revision) {
    return copy(plan, plan.generation(), revision, plan.budget());
  }

  /** Whether pods would do the same with both: all but generation and revision is equal. */
  public static boolean sameDocument(Plan one, Plan other) {
    return copy(one, other.generation(), other.revision(), one.budget()).equals(other);
  }

  private static Plan copy(Plan plan, long generation, long revision, JourneyBudget budget) {
    return new Plan(
        plan.schemaVersion(),
        plan.namespace(),
        plan.journey(),
        generation,
        revision,
        budget,
        plan.stages(),
        plan.levels(),
        plan.backends(),
        plan.staticMessage(),
        plan.degradedHint(),
        plan.refuseWithoutContext(),
        plan.policy(),
        plan.boundaries(),
        plan.warmUp());
  }

  private static StagePlan stage(ParsedStage stage) {
    return new StagePlan(
        stage.name(),
        stage.forms().stream().map(PlanCompiler::variant).toList(),
        stage.fallback() == null ? null : variant(stage.fallback()),
        stage.speculative() == null ? null : variant(stage.speculative()));
  }

  private static VariantPlan variant(StageForm form) {
    return new VariantPlan(
        form.variant(),
        form.backend(),
        form.topK(),
        form.ef(),
        form.keywordOnly(),
        form.maxTokens(),
        form.maxContextTokens(),
        form.instructions(),
        form.noContextInstructions(),
        form.reasoningEffort());
  }

  private static BackendPlan backend(ParsedBackend backend) {
    Map<String, String> secrets = new TreeMap<>();
    backend.secrets().forEach((field, key) -> secrets.put(field, MountedKeys.file(key)));
    ObjectKey ca = backend.ca();
    return new BackendPlan(
        backend.name(),
        backend.kind(),
        backend.settings(),
        secrets,
        backend.headers().stream().map(PlanCompiler::header).toList(),
        ca == null ? null : MountedKeys.file(ca),
        backend.connectTimeout().toMillis(),
        backend.maxConcurrent(),
        backend.labels());
  }

  private static BackendPlan.Header header(ParsedBackend.Header header) {
    ObjectKey secret = header.secret();
    return new BackendPlan.Header(
        header.name(), header.value(), secret == null ? null : MountedKeys.file(secret));
  }
}
