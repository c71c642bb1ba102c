package dev.ragjourney.server;

import dev.ragjourney.backends.cache.SemanticCache;
import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.AnswerCache;
import dev.ragjourney.pipeline.Embedder;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answer caches shared by the plans under which the same question has the same answer: moved caps
 * keep the cache, another prompt, model, index or set of documents begins an empty one.
 */
final class AnswerCaches {
  /** Of the heap, for answers; with the default of 10,000 entries about 60 MB would be enough. */
  private static final int HEAP_SHARE = 8;

  private static final String EMBEDDED = "embedded";

  /** No backend of a resource can have this name. */
  private static final BackendPlan EMBEDDER =
      new BackendPlan(
          "(answer cache)", EMBEDDED, Map.of(), Map.of(), List.of(), null, 2_000, 1, Map.of());

  /**
   * All that decides what the right answer is, and how long it is kept. The contents are those of
   * the backends that read documents when they open.
   */
  private record Use(
      String namespace,
      String journey,
      List<StagePlan> stages,
      List<BackendPlan> backends,
      List<String> contents,
      int maxEntries,
      Duration ttl) {}

  private static final class Shared {
    final AnswerCache cache;
    int holders;

    Shared(AnswerCache cache) {
      this.cache = cache;
    }
  }

  private final Map<Use, Shared> open = new HashMap<>();

  /** The plan's backends; and one that embeds for the cache, where no stage and no backend can. */
  static List<BackendUse> with(Plan plan, BackendFactory factory) {
    List<BackendUse> uses = new ArrayList<>();
    plan.backends().forEach(backend -> uses.add(BackendUse.of(plan, backend, factory)));
    if (plan.policy().answerCache() != null && !embeds(plan) && embedded(plan) == null) {
      uses.add(new BackendUse(EMBEDDER, Set.of(StageType.EMBED), ""));
    }
    return uses;
  }

  /**
   * Null for a plan without a cache.
   *
   * @param uses those of {@link #with}
   * @param backends opened for them, by name
   */
  synchronized @Nullable AnswerCache acquire(
      Plan plan, Collection<BackendUse> uses, Map<String, Backend> backends) {
    AnswerCachePolicy policy = plan.policy().answerCache();
    if (policy == null) {
      return null;
    }
    Shared shared =
        open.computeIfAbsent(
            use(plan, uses, policy), _ -> new Shared(cache(policy, embedder(plan, backends))));
    shared.holders++;
    return shared.cache;
  }

  synchronized void release(Plan plan, Collection<BackendUse> uses) {
    AnswerCachePolicy policy = plan.policy().answerCache();
    Shared shared = policy == null ? null : open.get(use(plan, uses, policy));
    if (policy != null && shared != null && --shared.holders == 0) {
      open.remove(use(plan, uses, policy));
    }
  }

  private static AnswerCache cache(AnswerCachePolicy policy, @Nullable Embedder embedder) {
    long bytes = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    return new SemanticCache(policy.maxEntries(), bytes, policy.ttl(), embedder);
  }

  private static Use use(Plan plan, Collection<BackendUse> uses, AnswerCachePolicy policy) {
    return new Use(
        plan.namespace(),
        plan.journey(),
        plan.stages(),
        plan.backends().stream().map(backend -> backend.withMaxConcurrent(1)).toList(),
        uses.stream().map(BackendUse::contents).sorted().toList(),
        policy.maxEntries(),
        policy.ttl());
  }

  private static @Nullable Embedder embedder(Plan plan, Map<String, Backend> backends) {
    if (embeds(plan)) {
      return null;
    }
    BackendPlan own = embedded(plan);
    Backend backend = backends.get((own == null ? EMBEDDER : own).name());
    if (backend == null || !(backend.port(StageType.EMBED) instanceof Embedder embedder)) {
      throw new IllegalStateException("the answer cache has no embedder");
    }
    return embedder;
  }

  private static boolean embeds(Plan plan) {
    return plan.budget().stages().stream().anyMatch(stage -> stage.type() == StageType.EMBED);
  }

  private static @Nullable BackendPlan embedded(Plan plan) {
    return plan.backends().stream()
        .filter(backend -> backend.kind().equals(EMBEDDED))
        .findFirst()
        .orElse(null);
  }
}
