package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.BudgetDraft.at;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole journeys in made time: every figure is exact. */
@Timeout(30)
class JourneyTest {
  private Trial trial = new Trial();

  @Test
  void a_journey_on_which_all_is_well_is_full_and_tells_its_times() throws Exception {
    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()));

    assertThat(answer)
        .isEqualTo(
            new Answer(
                "Because it is.",
                Answer.Outcome.FULL,
                0,
                "full",
                List.of(),
                List.of(),
                Trial.passages("a", "b").reversed(),
                (100 + 200 + 50 + 700) * MS,
                (100 + 200 + 50 + 500) * MS,
                (3000 - 850) * MS,
                false,
                false,
                false,
                null,
                null,
                new Completion("stop", null, null)));
    assertThat(trial.told.remainingAtGenerate).containsExactly(2650 * MS);
    assertThat(trial.told.answers).containsExactly(answer);
    assertThat(trial.told.ends)
        .extracting(e -> e.stage() + " " + e.outcome().label() + " " + e.elapsedNanos() / MS)
        .containsExactly(
            "rewrite success 100",
            "search success 200",
            "rerank success 50",
            "generate success 500");
    assertThat(trial.machinery.pending()).as("deadlines left armed").isZero();
  }

  @Test
  void an_optional_stage_past_its_cap_is_cut_and_its_time_is_given_on() throws Exception {
    Answer answer =
        trial.ask(trial.routes(Trial.threeSeconds()).port("rewrite", trial.rewrites(60_000)));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rewrite", "timeout"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.hint()).isEqualTo(Routes.HINT);
    assertThat(answer.firstTokenNanos()).isEqualTo((400 + 200 + 50 + 500) * MS);
    JourneyListener.StageEnd end = trial.told.end("rewrite");
    assertThat(end.outcome()).isEqualTo(StageOutcome.TIMEOUT);
    assertThat(end.cut()).isEqualTo(Cut.CAP);
    assertThat(end.elapsedNanos()).isEqualTo(400 * MS);
    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("rewrite", "timeout"));
  }

  @Test
  void a_skipped_rewrite_leaves_the_raw_question_to_search_with() throws Exception {
    String[] searched = new String[1];
    PassageSearch search =
        (call, query) -> {
          searched[0] = query.text() + (query.keywordOnly() ? " by keyword" : "");
          return PassagesFound.whole(Trial.passages("a"));
        };

    trial.ask(
        trial
            .routes(Trial.threeSeconds())
            .port("rewrite", trial.rewrites(60_000))
            .port("search", search));
    assertThat(searched[0]).isEqualTo("why? by keyword");

    trial.ask(trial.routes(Trial.threeSeconds()).port("search", search));
    assertThat(searched[0]).isEqualTo("rewritten by keyword");
  }

  @Test
  void a_skipped_rerank_keeps_the_order_of_the_search() throws Exception {
    Reranker failing =
        (call, question, passages) -> trial.fails(10, BackendException.Kind.SERVER_ERROR);

    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()).port("rerank", failing));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a", "b");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "error"));
    assertThat(trial.told.end("rerank").outcome()).isEqualTo(StageOutcome.ERROR);
    assertThat(trial.told.callsOf("rerank"))
        .singleElement()
        .satisfies(c -> assertThat(c.failure()).isEqualTo(BackendException.Kind.SERVER_ERROR));
  }

  @Test
  void a_stage_cut_by_the_journeys_time_says_deadline() throws Exception {
    BudgetDraft tight =
        BudgetDraft.of("1s").stages(search().cap("900ms"), generate().floor("500ms"));

    trial.ask(
        Routes.of(tight)
            .port("search", trial.finds(60_000))
            .port("generate", trial.writes(100, "Well.")));

    JourneyListener.StageEnd end = trial.told.end("search");
    assertThat(end.cut()).isEqualTo(Cut.DEADLINE);
    assertThat(end.elapsedNanos()).isEqualTo((1000 - 50 - 500) * MS);
  }

  @Test
  void without_useful_time_a_stage_is_not_started() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("1s")
            .stages(search().cap("500ms"), rerank().cap("300ms"), generate().floor("500ms"));

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(446, "a"))
                .port("rerank", trial.reverses(1))
                .port("generate", trial.writes(100, "Well.")));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "no_time"));
    assertThat(trial.told.starts).extracting(s -> s.stage()).containsExactly("search", "generate");
  }

  @Test
  void a_search_that_fails_leaves_the_model_with_a_no_context_marker() throws Exception {
    Prompt[] seen = new Prompt[1];
    Generator model =
        (call, prompt, sink) -> {
          seen[0] = prompt;
          sink.accept("I do not know.");
          return new Completion("stop", null, null);
        };
    StageForm form =
        new StageForm(
            "v0", "llm", model, 0, null, false, 99, null, "Be brief.", "Say so.", "minimal");

    Answer answer =
        trial.ask(
            trial
                .routes(Trial.threeSeconds())
                .port("search", trial.finds(60_000))
                .form("generate", form));

    assertThat(seen[0])
        .isEqualTo(new Prompt("why?", List.of(), "Be brief.\n\nSay so.", true, 99, "minimal"));
    assertThat(answer.noContext()).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.skipped()).contains(new Answer.Skipped("search", "timeout"));
  }

  @Test
  void a_search_that_finds_nothing_is_refused_where_the_journey_says_so() throws Exception {
    Answer answer =
        trial.ask(
            trial
                .routes(Trial.threeSeconds())
                .port("search", trial.finds(10))
                .refuseWithoutContext());

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.ERROR);
    assertThat(answer.content()).isEqualTo(Routes.SORRY);
    assertThat(answer.problem().stage()).isEqualTo("search");
    assertThat(answer.problem().capNanos()).isEqualTo(1000 * MS);
    assertThat(trial.told.starts).extracting(s -> s.stage()).doesNotContain("generate");
  }

  @Test
  void a_failed_embedding_lets_the_search_go_by_keyword() throws Exception {
    boolean[] keyword = new boolean[1];
    PassageSearch search =
        (call, query) -> {
          keyword[0] = query.keywordOnly() && query.vector() == null;
          return PassagesFound.whole(Trial.passages("a"));
        };
    BudgetDraft draft =
        BudgetDraft.of("2s")
            .stages(
                stage("embed", StageType.EMBED).cap("100ms"), search().cap("500ms"), generate());

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("embed", trial.embeds(101))
                .port("search", search)
                .port("generate", trial.writes(1, "Well.")));

    assertThat(keyword[0]).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("embed", "timeout"));
  }

  @Test
  void a_required_rerank_that_fails_ends_in_the_static_answer_with_the_problem() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("2s")
            .stages(
                search().cap("500ms"), stage("rerank", StageType.RERANK).cap("300ms"), generate());

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("rerank", trial.reverses(301))
                .port("generate", trial.writes(1, "Well.")));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.levelName()).isEqualTo("sorry");
    assertThat(answer.content()).isEqualTo(Routes.SORRY);
    assertThat(answer.problem())
        .isEqualTo(new Answer.Problem("rerank", "it was not ready in time", 300 * MS, 1600 * MS));
  }

  @Test
  void a_model_that_hangs_ends_in_the_static_answer_a_reserve_before_the_deadline()
      throws Exception {
    Answer answer =
        trial.ask(
            trial.routes(Trial.threeSeconds()).port("generate", trial.writes(60_000, "late")));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.latencyNanos()).isEqualTo(2950 * MS);
    assertThat(answer.remainingNanos()).isEqualTo(50 * MS);
    assertThat(answer.overBudget()).isTrue();
    assertThat(trial.told.end("generate").cut()).isEqualTo(Cut.DEADLINE);
  }

  @Test
  void the_level_falls_with_the_time_left_and_never_climbs_back() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("2s"), rerank().cap("300ms"), generate().floor("500ms"))
            .level("full", "2s", List.of(), at("rerank", "1s500ms", null))
            .level("fast", "1s", List.of("rerank"), at("generate", "100ms", null));

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .form(
                    "search",
                    Routes.topK(Routes.form("docs", trial.finds(1500, "a", "b", "c")), 10))
                .from("fast", "search", Routes.topK(Routes.form("docs", trial.finds(1500)), 2))
                .port("rerank", trial.reverses(10))
                .port("generate", trial.writes(100, "Well.")));

    assertThat(answer.level()).isEqualTo(1);
    assertThat(answer.levelName()).isEqualTo("fast");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "level"));
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a", "b");
    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("rerank", "level"));
  }

  @Test
  void the_reported_level_is_the_first_that_covers_what_really_happened() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(rewrite().cap("150ms"), search().cap("1s"), rerank().cap("100ms"), generate())
            .level("full", "1s500ms", List.of())
            .level("fast", "1s", List.of("rerank"))
            .level("minimal", "500ms", List.of("rewrite", "rerank"));

    assertThat(trial.ask(trial.routes(draft)).levelName()).isEqualTo("full");
    assertThat(trial.ask(trial.routes(draft).port("rerank", trial.reverses(101))).levelName())
        .isEqualTo("fast");
    assertThat(trial.ask(trial.routes(draft).port("rewrite", trial.rewrites(151))).levelName())
        .isEqualTo("minimal");
  }

  @Test
  void a_failed_model_is_followed_by_the_next_rungs_other_model() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("1s"), generate().floor("500ms"))
            .level("full", "1s500ms", List.of())
            .level("fast", "1s", List.of())
            .level("minimal", "500ms", List.of());
    Generator broken = (call, prompt, sink) -> trial.fails(100, BackendException.Kind.REFUSED);

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("generate", broken)
                .from("minimal", "generate", Routes.form("small", trial.writes(100, "Short."))));

    assertThat(answer.content()).isEqualTo("Short.");
    assertThat(answer.levelName()).isEqualTo("minimal");
    assertThat(trial.told.ends).extracting(e -> e.stage()).containsExactly("search", "generate");
    assertThat(trial.told.callsOf("generate"))
        .extracting(c -> c.backend() + " " + c.role().label() + " " + c.outcome().label())
        .containsExactly("generate primary error", "small fallback success");
  }

  @Test
  void a_caller_with_less_time_shortens_the_journey() throws Exception {
    Answer answer =
        trial.ask(
            trial
                .routes(Trial.threeSeconds())
                .port("generate", trial.writes(60_000, "late"))
                .route(),
            1500 * MS,
            true);

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    // The reserve shrinks by k = 1/2.
    assertThat(answer.latencyNanos()).isEqualTo(1475 * MS);
  }

  @Test
  void a_caller_whose_time_is_over_gets_the_static_answer_at_once() throws Exception {
    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()).route(), 0L, false);

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.latencyNanos()).isZero();
    assertThat(trial.told.starts).isEmpty();
  }

  @Test
  void work_that_cannot_be_interrupted_is_left_behind() throws Exception {
    Reranker deaf =
        (call, question, passages) -> {
          trial.machinery.takesStubbornly(10_000 * MS);
          return PassagesFound.whole(passages);
        };

    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()).port("rerank", deaf));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "timeout"));
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 200 + 300 + 500) * MS);
    assertThat(trial.told.ends).hasSize(4);
  }

  @Test
  void a_bug_in_a_backend_is_an_error_that_tells_no_secrets() throws Exception {
    Reranker buggy =
        (call, question, passages) -> {
          throw new IllegalStateException("key=secret");
        };

    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()).port("rerank", buggy));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "error"));
    assertThat(answer.toString()).doesNotContain("secret");
  }

  @Test
  void a_bug_in_the_journey_itself_is_answered_too() throws Exception {
    JourneyListener buggy =
        new JourneyListener() {
          @Override
          public void generateReached(Route route, long remainingNanos) {
            throw new IllegalStateException("bug");
          }
        };
    trial = new Trial(buggy);

    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.ERROR);
    assertThat(answer.content()).isEqualTo(Routes.SORRY);
  }
}
