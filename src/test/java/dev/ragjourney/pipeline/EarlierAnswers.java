package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.embed;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;

import dev.ragjourney.backends.cache.SemanticCache;
import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Journeys with a semantic cache, in made time. */
final class EarlierAnswers {
  static final Duration TTL = Duration.ofHours(1);

  final Trial trial = new Trial();
  final SemanticCache cache = new SemanticCache(100, 10_000_000, TTL, null);

  /** Three seconds for embed, search and generate, and a level that answers from the cache. */
  static BudgetDraft withLevel() {
    return withoutLevel().level("full", "1s", List.of()).cached("cached");
  }

  static BudgetDraft withoutLevel() {
    return BudgetDraft.of("3s")
        .stages(embed().cap("100ms"), search().cap("1s"), generate().floor("1s"));
  }

  static JourneyPolicy policy(boolean upFront) {
    return new JourneyPolicy(
        Enforcement.ENFORCE, false, 0, new AnswerCachePolicy(100, TTL, 0.92, upFront), null);
  }

  /** Well-behaved backends: 10 ms, 200 ms, 500 ms. */
  Routes routes(BudgetDraft draft) {
    return Routes.of(draft)
        .policy(policy(false))
        .answers(cache)
        .port("embed", embeds(10))
        .port("search", trial.finds(200, "a", "b"))
        .port("generate", trial.writes(500, "By card."));
  }

  /** Questions about paying are near each other. */
  Embedder embeds(long ms) {
    return (call, text) -> {
      trial.machinery.takes(ms * Trial.MS);
      return text.contains("pay") ? new float[] {1, 0} : new float[] {0, 1};
    };
  }

  Generator hangs() {
    return trial.writes(60_000, "too late");
  }

  Answer ask(Routes routes, String text) throws Exception {
    return ask(routes, text, "");
  }

  Answer ask(Routes routes, String text, String tenant) throws Exception {
    return ask(routes, question(text, tenant, List.of(), null, null));
  }

  /** Returns when everything that the journey started has ended. */
  Answer ask(Routes routes, Question question) throws Exception {
    Answer answer = answered(routes, question);
    trial.machinery.awaitEnded();
    return answer;
  }

  Answer answered(Routes routes, Question question) throws Exception {
    return trial.machinery.live(
        () -> trial.runner().run(routes.route(), question, trial.heard::add, Cancellation.NONE));
  }

  Question question(
      String text,
      String tenant,
      List<Turn> earlier,
      @Nullable Drill drill,
      @Nullable Long callerRemainingNanos) {
    long now = trial.machinery.time().nanos();
    return new Question(
        text, earlier, tenant, now, callerRemainingNanos, false, null, 0, drill, null, null);
  }
}
