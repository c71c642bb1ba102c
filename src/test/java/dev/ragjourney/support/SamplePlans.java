package dev.ragjourney.support;

import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.LevelStage;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.operator.desired.PlanCompiler;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.LevelPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans for tests. */
public final class SamplePlans {
  private SamplePlans() {}

  /** What the smallest resource compiles to: every stage embedded, three levels, three seconds. */
  public static Plan smallest() {
    Duration total = Duration.ofSeconds(3);
    return new Plan(
        Plan.SCHEMA_VERSION,
        "default",
        "faq",
        1,
        1,
        new JourneyBudget(
            total,
            CountTo.FIRST_TOKEN,
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            List.of(
                stage("embed", StageType.EMBED, false, 150L, 0),
                stage("search", StageType.SEARCH, false, 600L, 0),
                stage("rerank", StageType.RERANK, true, 300L, 0),
                stage("generate", StageType.GENERATE, false, null, 1200)),
            List.of(
                level("full", 1500, List.of()),
                level("fast", 750, List.of("rerank")),
                new FallbackLevel(
                    "sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()))),
        List.of(
            new StagePlan("embed", List.of(variant("v0", "embedded", 0)), null, null),
            new StagePlan(
                "search",
                List.of(variant("v0", "embedded", 10), variant("v1", "embedded", 5)),
                null,
                null),
            new StagePlan("rerank", List.of(variant("v0", "embedded", 10)), null, null),
            new StagePlan("generate", List.of(variant("v0", "embedded", 0)), null, null)),
        List.of(
            new LevelPlan("full", Map.of()),
            new LevelPlan("fast", Map.of("search", "v1")),
            new LevelPlan("sorry", Map.of())),
        List.of(backend("embedded", "embedded", Map.of())),
        "Try again in a moment.",
        "Quick answer; some detail may be missing.",
        false,
        JourneyPolicy.PLAIN,
        LatencyBoundaries.of(total),
        List.of("What is this?"));
  }

  /** The smallest plan with so much time that a busy machine keeps it too. */
  public static Plan unhurried() {
    JourneyBudget budget = smallest().budget();
    return withBudget(
        smallest(),
        new JourneyBudget(
            Duration.ofMinutes(2),
            budget.countTo(),
            budget.reserve(),
            budget.lastTokenMargin(),
            budget.streamIdle(),
            budget.streamMax(),
            budget.stages().stream()
                .map(stage -> stage.cap() == null ? stage : stage.withCap(Duration.ofSeconds(30)))
                .toList(),
            budget.levels()));
  }

  /** Remote backends, a rewrite, a fallback and five levels: everything a plan can hold. */
  public static Plan large() {
    Duration total = Duration.ofSeconds(8);
    return new Plan(
        Plan.SCHEMA_VERSION,
        "shop",
        "assistant",
        7,
        42,
        new JourneyBudget(
            total,
            CountTo.FIRST_TOKEN,
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            List.of(
                stage("rewrite", StageType.REWRITE, true, 400L, 0),
                stage("embed", StageType.EMBED, false, 200L, 0),
                withFallback(stage("search", StageType.SEARCH, false, 1000L, 0)),
                stage("rerank", StageType.RERANK, true, 700L, 0),
                withFallback(stage("generate", StageType.GENERATE, false, null, 1500))),
            List.of(
                new FallbackLevel(
                    "full",
                    AnswerSource.STAGES,
                    Duration.ofSeconds(5),
                    List.of(),
                    List.of(new LevelStage("generate", Duration.ofSeconds(4), null))),
                level("fast", 3000, List.of("rerank")),
                new FallbackLevel(
                    "minimal",
                    AnswerSource.STAGES,
                    Duration.ofMillis(1500),
                    List.of("rewrite", "rerank"),
                    List.of(new LevelStage("generate", null, Duration.ofMillis(600)))),
                new FallbackLevel(
                    "cached", AnswerSource.SEMANTIC_CACHE, Duration.ZERO, List.of(), List.of()),
                new FallbackLevel(
                    "sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()))),
        List.of(
            new StagePlan("rewrite", List.of(variant("v0", "small-llm", 0)), null, null),
            new StagePlan("embed", List.of(variant("v0", "embedded", 0)), null, null),
            new StagePlan(
                "search",
                List.of(
                    variant("v0", "docs", 10),
                    variant("v1", "docs", 5),
                    new VariantPlan("v2", "docs", 3, 40, false, null, null, "", "", null)),
                new VariantPlan("fallback", "docs", 10, null, true, null, null, "", "", null),
                new VariantPlan("speculative", "docs", 10, null, true, null, null, "", "", null)),
            new StagePlan("rerank", List.of(variant("v0", "reranker", 10)), null, null),
            new StagePlan(
                "generate",
                List.of(
                    new VariantPlan(
                        "v0",
                        "big-llm",
                        0,
                        null,
                        false,
                        500,
                        3000,
                        "Answer from the \"context\" only.\nCite it.",
                        "Say that you do not know.",
                        "minimal"),
                    variant("v1", "small-llm", 0)),
                variant("fallback", "small-llm", 0),
                null)),
        List.of(
            new LevelPlan("full", Map.of()),
            new LevelPlan("fast", Map.of("search", "v1")),
            new LevelPlan("minimal", Map.of("search", "v2", "generate", "v1"), "A short answer."),
            new LevelPlan("cached", Map.of()),
            new LevelPlan("sorry", Map.of())),
        List.of(
            backend("embedded", "embedded", Map.of()),
            new BackendPlan(
                "big-llm",
                "openai",
                Map.of("url", "https://llm.example/v1", "model", "large"),
                Map.of("apiKey", "llm/token"),
                List.of(
                    new BackendPlan.Header("x-team", "search", null),
                    new BackendPlan.Header("x-key", null, "llm/extra")),
                "llm/ca.crt",
                2000,
                20,
                Map.of("region", "eu", "provider", "openai")),
            backend("small-llm", "openai", Map.of("url", "https://llm.example/v1", "model", "s")),
            backend("docs", "http", Map.of("url", "http://docs.example/search")),
            backend("reranker", "rerank", Map.of("url", "http://rerank.example/v1"))),
        "Try again in a moment.",
        "Quick answer; some detail may be missing.",
        true,
        new JourneyPolicy(
            Enforcement.ENFORCE,
            true,
            0.001,
            new AnswerCachePolicy(10_000, Duration.ofHours(1), 0.92, false),
            new LearningPolicy(0.01, 0.01)),
        LatencyBoundaries.of(total),
        List.of());
  }

  /** The same plan under another revision. */
  public static Plan withRevision(Plan plan, long revision) {
    return PlanCompiler.withRevision(plan, revision);
  }

  /** The same plan with other times. */
  public static Plan withBudget(Plan plan, JourneyBudget budget) {
    return copy(plan, budget, plan.backends(), plan.staticMessage(), plan.policy());
  }

  /** The same plan with a policy of its own. */
  public static Plan withPolicy(Plan plan, JourneyPolicy policy) {
    return copy(plan, plan.budget(), plan.backends(), plan.staticMessage(), policy);
  }

  /** The same plan with a semantic cache that answers up front. */
  public static Plan caching(Plan plan) {
    return withPolicy(
        plan,
        new JourneyPolicy(
            Enforcement.ENFORCE,
            false,
            0,
            new AnswerCachePolicy(10_000, Duration.ofHours(1), 0.92, true),
            null));
  }

  /** The same plan with other backends. */
  public static Plan withBackends(Plan plan, List<BackendPlan> backends) {
    return copy(plan, plan.budget(), backends, plan.staticMessage(), plan.policy());
  }

  /** The same plan with another last message. */
  public static Plan withStaticMessage(Plan plan, String message) {
    return copy(plan, plan.budget(), plan.backends(), message, plan.policy());
  }

  private static Plan copy(
      Plan plan,
      JourneyBudget budget,
      List<BackendPlan> backends,
      String message,
      JourneyPolicy policy) {
    boolean sameTotal = budget.total().equals(plan.budget().total());
    return new Plan(
        plan.schemaVersion(),
        plan.namespace(),
        plan.journey(),
        plan.generation(),
        plan.revision(),
        budget,
        plan.stages(),
        plan.levels(),
        backends,
        message,
        plan.degradedHint(),
        plan.refuseWithoutContext(),
        policy,
        sameTotal ? plan.boundaries() : LatencyBoundaries.of(budget.total()),
        plan.warmUp());
  }

  public static BackendPlan backend(String name, String kind, Map<String, String> settings) {
    return new BackendPlan(name, kind, settings, Map.of(), List.of(), null, 1000, 100, Map.of());
  }

  public static StageBudget stage(
      String name, StageType type, boolean optional, @Nullable Long capMillis, long floorMillis) {
    Duration cap = capMillis == null ? null : Duration.ofMillis(capMillis);
    return new StageBudget(
        name,
        type,
        optional,
        null,
        cap,
        cap,
        Duration.ofMillis(floorMillis),
        null,
        null,
        null,
        null,
        Duration.ofMillis(5),
        null,
        null,
        null,
        null);
  }

  public static VariantPlan variant(String id, String backend, int topK) {
    return new VariantPlan(id, backend, topK, null, false, null, null, "", "", null);
  }

  private static FallbackLevel level(String name, long minRemainingMillis, List<String> skip) {
    return new FallbackLevel(
        name, AnswerSource.STAGES, Duration.ofMillis(minRemainingMillis), skip, List.of());
  }

  private static StageBudget withFallback(StageBudget stage) {
    return new StageBudget(
        stage.name(),
        stage.type(),
        stage.optional(),
        stage.group(),
        stage.cap(),
        stage.declaredCap(),
        stage.floor(),
        stage.holdBack(),
        Duration.ofMillis(150),
        Duration.ofMillis(250),
        Duration.ofMillis(300),
        stage.minUseful(),
        new FallbackBudget(Duration.ofMillis(500), Duration.ofMillis(300), 0.1, false),
        null,
        null,
        null);
  }
}
