package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerCachesTest {
  private static final Plan PLAN = SamplePlans.caching(SamplePlans.smallest());

  private final AnswerCaches caches = new AnswerCaches();
  private final FakeBackends factory = new FakeBackends();

  private AnswerCache cache(Plan plan) {
    Map<String, Backend> backends = new HashMap<>();
    List<BackendUse> uses = AnswerCaches.with(plan, factory);
    uses.forEach(use -> backends.put(use.plan().name(), factory.open(use, List.of())));
    return caches.acquire(plan, uses, backends);
  }

  private void release(Plan plan) {
    caches.release(plan, AnswerCaches.with(plan, factory));
  }

  private static Plan withCache(AnswerCachePolicy policy) {
    return SamplePlans.withPolicy(
        PLAN, new JourneyPolicy(Enforcement.ENFORCE, false, 0, policy, null));
  }

  @Test
  void a_plan_without_a_cache_has_none() {
    assertThat(cache(SamplePlans.smallest())).isNull();
    release(SamplePlans.smallest());
  }

  @Test
  void another_revision_other_messages_and_looser_hits_keep_the_answers() {
    AnswerCache cache = cache(PLAN);
    assertThat(cache(SamplePlans.withRevision(PLAN, 7))).isSameAs(cache);
    assertThat(cache(SamplePlans.withStaticMessage(PLAN, "later"))).isSameAs(cache);
    assertThat(cache(withCache(new AnswerCachePolicy(10_000, Duration.ofHours(1), 0.9, false))))
        .isSameAs(cache);
  }

  @Test
  void other_backends_and_another_cache_begin_with_no_answers() {
    AnswerCache cache = cache(PLAN);
    BackendPlan moved =
        SamplePlans.backend("embedded", "embedded", Map.of("documents", "another folder"));
    assertThat(cache(SamplePlans.withBackends(PLAN, List.of(moved)))).isNotSameAs(cache);
    assertThat(cache(withCache(new AnswerCachePolicy(10, Duration.ofHours(1), 0.92, true))))
        .isNotSameAs(cache);
    assertThat(cache(withCache(new AnswerCachePolicy(10_000, Duration.ofHours(2), 0.92, true))))
        .isNotSameAs(cache);
  }

  @Test
  void other_documents_begin_with_no_answers() {
    AnswerCache cache = cache(PLAN);
    factory.contents = "other documents";
    assertThat(cache(PLAN)).isNotSameAs(cache);
  }

  @Test
  void the_answers_are_dropped_with_the_last_plan_that_holds_them() {
    AnswerCache cache = cache(PLAN);
    Plan moved = SamplePlans.withRevision(PLAN, 2);
    cache(moved);
    release(PLAN);
    assertThat(cache(PLAN)).isSameAs(cache);
    release(PLAN);
    release(moved);
    assertThat(cache(PLAN)).isNotSameAs(cache);
  }

  @Test
  void a_journey_without_an_embed_stage_has_its_questions_embedded_by_the_pod() {
    assertThat(cache(PLAN).embedder()).isNull();
    Plan plan = withoutEmbed();
    assertThat(AnswerCaches.with(plan, factory)).hasSize(plan.backends().size());
    assertThat(cache(plan).embedder()).isSameAs(factory.ports.get(StageType.EMBED));
    Plan remote =
        SamplePlans.withBackends(
            plan, List.of(SamplePlans.backend("embedded", "http", Map.of("url", "http://x"))));
    assertThat(AnswerCaches.with(remote, factory))
        .extracting(use -> use.plan().kind())
        .containsExactly("http", "embedded");
    assertThat(cache(remote).embedder()).isSameAs(factory.ports.get(StageType.EMBED));
    assertThat(AnswerCaches.with(SamplePlans.smallest(), factory)).hasSize(1);
  }

  private static Plan withoutEmbed() {
    JourneyBudget budget = PLAN.budget();
    List<StageBudget> stages =
        budget.stages().stream().filter(stage -> stage.type() != StageType.EMBED).toList();
    return new Plan(
        PLAN.schemaVersion(),
        PLAN.namespace(),
        PLAN.journey(),
        PLAN.generation(),
        PLAN.revision(),
        budget.withStages(stages),
        PLAN.stages().stream().filter(stage -> !stage.name().equals("embed")).toList(),
        PLAN.levels(),
        PLAN.backends(),
        PLAN.staticMessage(),
        PLAN.degradedHint(),
        PLAN.refuseWithoutContext(),
        PLAN.policy(),
        PLAN.boundaries(),
        PLAN.warmUp());
  }
}
