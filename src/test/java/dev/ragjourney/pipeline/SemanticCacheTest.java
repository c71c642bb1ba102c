package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.EarlierAnswers.policy;
import static dev.ragjourney.pipeline.EarlierAnswers.withLevel;
import static dev.ragjourney.pipeline.EarlierAnswers.withoutLevel;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.backends.cache.SemanticCache;
import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.pipeline.AnswerCache.Lookup;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an answer of an earlier question is given. */
class SemanticCacheTest {
  private final EarlierAnswers earlier = new EarlierAnswers();
  private final Trial trial = earlier.trial;

  @BeforeEach
  void one_question_was_answered_before() throws Exception {
    Answer first = earlier.ask(earlier.routes(withLevel()), "How do I pay?");
    assertThat(first.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(first.latencyNanos()).as("nothing waits for the cache").isEqualTo(710 * MS);
    trial.told.lookups.clear();
  }

  private Routes slowModel(BudgetDraft draft) {
    return earlier.routes(draft).port("generate", earlier.hangs());
  }

  @Test
  void a_level_that_answers_from_the_cache_gives_the_held_hit_at_once() throws Exception {
    Answer answer = earlier.ask(slowModel(withLevel()), "How can I pay?");
    assertThat(answer.cached()).isTrue();
    assertThat(answer.content()).isEqualTo("By card.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.levelName()).isEqualTo("cached");
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a", "b");
    assertThat(answer.hint()).isEqualTo(Routes.HINT);
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("generate", "timeout"));
    assertThat(answer.latencyNanos()).as("the model's time is up").isEqualTo(2950 * MS);
    assertThat(answer.overBudget()).isFalse();
    assertThat(trial.told.lookups).containsExactly(Lookup.HIT);
  }

  @Test
  void without_a_hit_the_next_rung_answers() throws Exception {
    Answer answer = earlier.ask(slowModel(withLevel()), "How do I cancel?");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.cached()).isFalse();
    assertThat(trial.told.lookups).containsExactly(Lookup.MISS);
  }

  @Test
  void a_question_that_only_looks_alike_gets_the_next_rung() throws Exception {
    Answer answer = earlier.ask(slowModel(withLevel()), "How do I not pay?");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(trial.told.lookups).containsExactly(Lookup.NEAR);
  }

  @Test
  void where_no_level_answers_from_the_cache_nothing_does() throws Exception {
    Answer answer = earlier.ask(slowModel(withoutLevel()), "How do I pay?");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
  }

  @Test
  void a_failed_stage_is_made_up_for_by_a_hit_and_named() throws Exception {
    Routes failing =
        earlier
            .routes(withLevel())
            .port(
                "generate",
                (Generator)
                    (call, prompt, sink) -> trial.fails(5, BackendException.Kind.SERVER_ERROR));
    Answer answer = earlier.ask(failing, "How can I pay?");
    assertThat(answer.cached()).isTrue();
    assertThat(answer.problem()).isNotNull();
    assertThat(answer.problem().stage()).isEqualTo("generate");
    assertThat(answer.latencyNanos()).isEqualTo(215 * MS);
  }

  @Test
  void a_search_that_failed_is_made_up_for_and_one_that_found_nothing_is_not() throws Exception {
    Routes refusing = earlier.routes(withLevel()).refuseWithoutContext();
    PassageSearch failing = (call, query) -> trial.fails(5, BackendException.Kind.SERVER_ERROR);
    assertThat(earlier.ask(refusing.port("search", failing), "How can I pay?").cached()).isTrue();
    Answer none = earlier.ask(refusing.port("search", trial.finds(5)), "How can I pay?");
    assertThat(none.outcome()).isEqualTo(Answer.Outcome.ERROR);
  }

  @Test
  void up_front_a_hit_answers_before_the_search() throws Exception {
    Routes upFront = earlier.routes(withoutLevel()).policy(policy(true));
    trial.told.starts.clear();
    Answer answer = earlier.ask(upFront, "How can I pay?");
    assertThat(answer.cached()).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.levelName()).isEqualTo("full");
    assertThat(answer.latencyNanos()).isEqualTo(10 * MS);
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .containsExactly("embed");
  }

  @Test
  void up_front_the_very_same_question_needs_no_stage_at_all() throws Exception {
    Routes upFront = earlier.routes(withLevel()).policy(policy(true));
    Answer answer = earlier.ask(upFront, "How do I pay?");
    assertThat(answer.cached()).isTrue();
    assertThat(answer.levelName()).isEqualTo("cached");
    assertThat(answer.latencyNanos()).isZero();
    assertThat(answer.firstTokenNanos()).isZero();
  }

  @Test
  void up_front_a_slow_lookup_is_waited_for_25_ms_and_counts_at_the_next_stage() throws Exception {
    Routes upFront =
        earlier.routes(withLevel()).policy(policy(true)).answers(new SlowCache(earlier.cache, 100));
    trial.told.starts.clear();
    Answer answer = earlier.ask(upFront, "How can I pay?");
    assertThat(answer.cached()).isTrue();
    assertThat(answer.latencyNanos()).isEqualTo((10 + 25 + 200) * MS);
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .containsExactly("embed", "search");
  }

  @Test
  void a_slow_lookup_delays_no_stage_and_is_cut_with_the_journey() throws Exception {
    Routes slow = earlier.routes(withLevel()).answers(new SlowCache(earlier.cache, 60_000));
    Answer answer = earlier.ask(slow, "How can I pay?");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.latencyNanos()).isEqualTo(710 * MS);
    assertThat(trial.told.lookups).containsExactly(Lookup.FAILED);
    assertThat(trial.machinery.pending()).isZero();
  }

  @Test
  void at_its_level_a_lookup_that_still_runs_is_waited_for_100_ms_and_the_reserve_is_kept()
      throws Exception {
    Routes failing =
        earlier
            .routes(withLevel())
            .port(
                "generate",
                (Generator)
                    (call, prompt, sink) -> trial.fails(0, BackendException.Kind.SERVER_ERROR));
    Answer inTime =
        earlier.ask(failing.answers(new SlowCache(earlier.cache, 290)), "How can I pay?");
    assertThat(inTime.cached()).isTrue();
    assertThat(inTime.latencyNanos()).isEqualTo(300 * MS);
    Answer tooSlow =
        earlier.ask(failing.answers(new SlowCache(earlier.cache, 400)), "How can I pay?");
    assertThat(tooSlow.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(tooSlow.latencyNanos()).isEqualTo(310 * MS);
    Answer late =
        earlier.ask(
            slowModel(withLevel()).answers(new SlowCache(earlier.cache, 2990)), "Can I pay?");
    assertThat(late.latencyNanos()).as("nothing is left but the reserve").isEqualTo(2950 * MS);
  }

  @Test
  void a_journey_that_starts_at_the_cache_s_level_embeds_for_it() throws Exception {
    Question hurried = earlier.question("How can I pay?", "", List.of(), null, 300 * MS);
    trial.told.starts.clear();
    Answer answer = earlier.ask(earlier.routes(withLevel()), hurried);
    assertThat(answer.cached()).isTrue();
    assertThat(answer.latencyNanos()).isEqualTo(10 * MS);
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .containsExactly("embed");
  }

  @Test
  void an_embedding_that_failed_is_not_tried_again_and_leaves_only_the_very_same_question()
      throws Exception {
    Routes failing =
        slowModel(withLevel())
            .port(
                "embed",
                (Embedder) (call, text) -> trial.fails(5, BackendException.Kind.SERVER_ERROR));
    trial.told.starts.clear();
    assertThat(earlier.ask(failing, "How can I pay?").outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(trial.told.starts).filteredOn(start -> start.stage().equals("embed")).hasSize(1);
    assertThat(earlier.ask(failing, "How do I pay?").cached()).isTrue();
  }

  @Test
  void an_hour_later_the_answer_is_none() throws Exception {
    trial.machinery.live(
        () -> {
          trial.machinery.takes(EarlierAnswers.TTL.toNanos());
          return null;
        });
    assertThat(earlier.ask(slowModel(withLevel()), "How do I pay?").cached()).isFalse();
  }

  @Test
  void another_tenant_s_answer_is_none() throws Exception {
    assertThat(earlier.ask(slowModel(withLevel()), "How do I pay?", "blue").cached()).isFalse();
  }

  @Test
  void a_question_within_a_conversation_is_neither_looked_for_nor_answered() throws Exception {
    Question within =
        earlier.question(
            "How do I pay?", "", List.of(new Turn(Turn.Speaker.USER, "In Spain?")), null, null);
    assertThat(earlier.ask(slowModel(withLevel()), within).cached()).isFalse();
    assertThat(trial.told.lookups).isEmpty();
  }

  @Test
  void a_streaming_caller_hears_it() throws Exception {
    trial.heard.clear();
    Routes upFront = earlier.routes(withLevel()).policy(policy(true));
    Question streamed =
        new Question(
            "How do I pay?",
            List.of(),
            "",
            trial.machinery.time().nanos(),
            null,
            true,
            null,
            0,
            null,
            null,
            null);
    earlier.ask(upFront, streamed);
    assertThat(trial.heard).containsExactly("By card.");
  }

  @Test
  void an_answer_longer_than_the_caller_takes_is_none() throws Exception {
    Routes upFront = earlier.routes(withLevel()).policy(policy(true));
    assertThat(earlier.ask(upFront, taking(1)).cached()).isFalse();
    assertThat(earlier.ask(upFront, taking(2)).cached()).isTrue();
  }

  private Question taking(int maxTokens) {
    return new Question(
        "How can I pay?",
        List.of(),
        "",
        trial.machinery.time().nanos(),
        null,
        false,
        maxTokens,
        0,
        null,
        null,
        null);
  }

  @Test
  void a_journey_without_an_embed_stage_embeds_beside_its_search() throws Exception {
    SemanticCache embedding =
        new SemanticCache(100, 10_000_000, EarlierAnswers.TTL, earlier.embeds(30));
    Answer first = earlier.ask(twoStages(embedding, null), "How do I pay?");
    assertThat(first.latencyNanos()).isEqualTo(700 * MS);
    Answer second = earlier.ask(twoStages(embedding, earlier.hangs()), "How can I pay?");
    assertThat(second.cached()).isTrue();
    Routes upFront = twoStages(embedding, null).policy(policy(true));
    assertThat(earlier.ask(upFront, "How would I pay?").latencyNanos())
        .as("25 ms, then the search, beside which the hit came")
        .isEqualTo(225 * MS);
  }

  private Routes twoStages(AnswerCache cache, @Nullable Generator model) {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("1s"), generate().floor("1s"))
            .level("full", "1s", List.of())
            .cached("cached");
    return Routes.of(draft)
        .policy(policy(false))
        .answers(cache)
        .port("search", trial.finds(200, "a", "b"))
        .port("generate", model == null ? trial.writes(500, "By card.") : model);
  }

  /** Takes its time where a vector is compared. */
  private final class SlowCache implements AnswerCache {
    private final AnswerCache cache;
    private final long ms;

    SlowCache(AnswerCache cache, long ms) {
      this.cache = cache;
      this.ms = ms;
    }

    @Override
    public @Nullable Embedder embedder() {
      return null;
    }

    @Override
    public Found find(Asked asked, double minSimilarity, long nowNanos) {
      if (asked.vector() != null) {
        try {
          trial.machinery.takes(ms * MS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return new Found(Lookup.MISS, null);
        }
      }
      return cache.find(asked, minSimilarity, nowNanos);
    }

    @Override
    public Stock keep(Asked asked, Kept answer, long nowNanos) {
      return cache.keep(asked, answer, nowNanos);
    }
  }
}
