package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fallback beside the primary, in made time. */
@Timeout(120)
class FailOverTest {
  private final Trial trial = new Trial();

  private Routes searching(StageDraft search, PassageSearch primary, PassageSearch fallback) {
    return Routes.of(BudgetDraft.of("3s").stages(search, generate().floor("1s")))
        .port("search", primary)
        .fallback("search", fallback)
        .port("generate", trial.writes(100, "Well."));
  }

  @Test
  void a_primary_in_time_needs_no_fallback() throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").degradeAfter("300ms").fallback("500ms", "300ms"),
                trial.finds(299, "a"),
                trial.finds(1, "b")));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(trial.told.callsOf("search")).hasSize(1);
  }

  @Test
  void a_late_primary_still_wins_if_it_answers_first() throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").degradeAfter("300ms").fallback("500ms", "300ms"),
                trial.finds(700, "a"),
                trial.finds(500, "b")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(trial.told.callsOf("search"))
        .extracting(c -> c.role().label() + " " + c.outcome().label() + " " + c.elapsedNanos() / MS)
        .containsExactly("primary success 700", "fallback timeout 400");
    assertThat(trial.told.end("search").resultOutcome()).isEqualTo(StageOutcome.SUCCESS);
  }

  @Test
  void a_fallback_that_answers_first_closes_the_primary() throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").degradeAfter("300ms").fallback("500ms", "300ms"),
                trial.finds(60_000, "a"),
                trial.finds(200, "b")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    JourneyListener.StageEnd end = trial.told.end("search");
    assertThat(end.outcome()).isEqualTo(StageOutcome.TIMEOUT);
    assertThat(end.cut()).isEqualTo(Cut.LOST);
    assertThat(end.elapsedNanos()).isEqualTo(500 * MS);
    assertThat(end.resultOutcome()).isEqualTo(StageOutcome.DEGRADED);
    assertThat(end.degradedReason()).isEqualTo("fallback_query");
  }

  @Test
  void a_failed_primary_is_followed_by_its_fallback_at_once() throws Exception {
    PassageSearch failing = (call, query) -> trial.fails(50, BackendException.Kind.UNAVAILABLE);

    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").fallback("500ms", "300ms"), failing, trial.finds(200, "b")));

    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 200 + 100) * MS);
    assertThat(trial.told.end("search").outcome()).isEqualTo(StageOutcome.ERROR);
    assertThat(trial.told.end("search").resultOutcome()).isEqualTo(StageOutcome.DEGRADED);
  }

  @Test
  void without_a_fail_over_point_the_primary_has_its_cap_alone_and_stays_in_the_race()
      throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").fallback("500ms", "300ms"),
                trial.finds(1400, "a"),
                trial.finds(450, "b")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void both_past_the_end_of_the_stage_are_cut_and_the_context_is_missing() throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").fallback("500ms", "300ms"),
                trial.finds(60_000, "a"),
                trial.finds(60_000, "b")));

    assertThat(answer.noContext()).isTrue();
    assertThat(answer.firstTokenNanos()).isEqualTo((1500 + 100) * MS);
    assertThat(trial.told.callsOf("search"))
        .extracting(c -> c.role().label() + " " + c.elapsedNanos() / MS)
        .containsExactly("primary 1500", "fallback 500");
  }

  @Test
  void cancel_primary_ends_the_primary_at_fail_over() throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").degradeAfter("300ms").fallback("500ms", "300ms", 1, true),
                trial.finds(350, "a"),
                trial.finds(200, "b")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(trial.told.end("search").elapsedNanos()).isEqualTo(300 * MS);
    assertThat(trial.told.end("search").cut()).isEqualTo(Cut.CAP);
  }

  @Test
  void with_less_than_min_remaining_there_is_no_fallback_and_the_primary_keeps_its_allowance()
      throws Exception {
    Answer answer =
        trial.ask(
            searching(
                search().cap("1s").fallback("500ms", "2s800ms"),
                trial.finds(60_000, "a"),
                trial.finds(1, "b")));

    assertThat(answer.noContext()).isTrue();
    assertThat(trial.told.callsOf("search")).hasSize(1);
    assertThat(trial.told.end("search").elapsedNanos()).isEqualTo(1000 * MS);
  }

  @Test
  void only_a_share_of_the_calls_may_fall_back() throws Exception {
    Route route =
        searching(
                search().cap("1s").fallback("500ms", "300ms", 0.1, false),
                (call, query) -> trial.fails(1, BackendException.Kind.UNAVAILABLE),
                trial.finds(1, "b"))
            .route();
    for (int i = 0; i < 100; i++) {
      trial.ask(route, null, false);
    }

    long fallbacks =
        trial.told.callsOf("search").stream()
            .filter(c -> c.role() == StageCall.Role.FALLBACK)
            .count();
    // Ten from the full bucket, then one of ten.
    assertThat(fallbacks).isBetween(19L, 20L);
  }

  @Test
  void the_share_that_fell_back_is_remembered_when_the_plan_changes() throws Exception {
    Routes routes =
        searching(
            search().cap("1s").fallback("500ms", "300ms", 0, false),
            (call, query) -> trial.fails(1, BackendException.Kind.UNAVAILABLE),
            trial.finds(1, "b"));
    for (int i = 0; i < 20; i++) {
      trial.ask(routes.route(), null, false);
    }

    assertThat(trial.told.answers.stream().filter(a -> !a.noContext())).hasSize(10);
  }

  @Test
  void a_stage_without_time_for_its_primary_may_still_have_its_fallback() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("1s")
            .stages(
                search().cap("500ms").minUseful("200ms").fallback("150ms", "300ms"),
                generate().floor("800ms"));

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(1, "a"))
                .fallback("search", trial.finds(100, "b"))
                .port("generate", trial.writes(100, "Well.")));

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(trial.told.starts).extracting(s -> s.stage()).containsExactly("generate");
  }

  private Routes writing(StageDraft generate, Generator primary, Generator fallback) {
    return Routes.of(BudgetDraft.of("3s").stages(search().cap("1s"), generate))
        .port("search", trial.finds(100, "a"))
        .port("generate", primary)
        .fallback("generate", fallback);
  }

  @Test
  void the_first_content_token_wins_and_nothing_of_the_loser_is_heard() throws Exception {
    Answer answer =
        trial.askStreaming(
            writing(
                generate().degradeAfter("500ms").fallback("800ms", "300ms"),
                trial.writes(5_000, "never"),
                trial.writes(300, 10, "short ", "answer")));

    assertThat(answer.content()).isEqualTo("short answer");
    assertThat(trial.heard).containsExactly("short ", "answer");
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 500 + 300) * MS);
    assertThat(trial.told.end("generate").cut()).isEqualTo(Cut.LOST);
    assertThat(trial.told.end("generate").degradedReason()).isEqualTo("fallback");
  }

  @Test
  void a_model_that_speaks_first_wins_although_it_ends_last() throws Exception {
    Answer answer =
        trial.ask(
            writing(
                generate().degradeAfter("500ms").fallback("800ms", "300ms"),
                trial.writes(600, 500, "a ", "long ", "answer"),
                trial.writes(200, "short")));

    assertThat(answer.content()).isEqualTo("a long answer");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(trial.told.callsOf("generate"))
        .extracting(c -> c.role().label() + " " + c.outcome().label())
        .containsExactly("primary success", "fallback timeout");
  }

  @Test
  void a_model_late_to_its_first_token_still_has_the_whole_time_left() throws Exception {
    Answer answer =
        trial.ask(
            writing(
                generate().degradeAfter("500ms").fallback("800ms", "300ms"),
                trial.writes(2_800, "just in time"),
                trial.writes(60_000, "never")));

    assertThat(answer.content()).isEqualTo("just in time");
    assertThat(answer.remainingNanos()).isEqualTo(100 * MS);
  }

  @Test
  void to_the_last_token_a_complete_fallback_waits_for_the_better_model_until_the_margin()
      throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .lastToken("200ms")
            .stages(
                search().cap("1s"), generate().degradeAfter("500ms").fallback("800ms", "300ms"));
    Routes routes =
        Routes.of(draft)
            .port("search", trial.finds(100, "a"))
            .fallback("generate", trial.writes(100, "short"));

    assertThat(trial.ask(routes.port("generate", trial.writes(100, 1000, "a ", "b"))).content())
        .isEqualTo("a b");
    Answer cut = trial.ask(routes.port("generate", trial.writes(100, 5_000, "a ", "b")));
    assertThat(cut.content()).isEqualTo("short");
    assertThat(cut.latencyNanos()).isEqualTo(2800 * MS);
    assertThat(cut.truncated()).isFalse();
    assertThat(cut.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void a_fallback_that_a_level_declares_makes_that_level_the_reported_one() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(
                search().cap("1s"),
                generate().floor("500ms").degradeAfter("500ms").fallback("800ms", "300ms"))
            .level("full", "1s500ms", List.of())
            .level("minimal", "1s", List.of());
    StageForm small = Routes.form("small", trial.writes(100, "short"));

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("generate", trial.writes(60_000, "never"))
                .fallback("generate", small)
                .from("minimal", "generate", small));

    assertThat(answer.levelName()).isEqualTo("minimal");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void a_model_that_has_failed_as_the_fallback_is_not_asked_again_by_the_next_rung()
      throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("1s"), generate().floor("500ms").fallback("500ms", "300ms"))
            .level("full", "1s500ms", List.of())
            .level("minimal", "500ms", List.of());
    Generator broken = (call, prompt, sink) -> trial.fails(100, BackendException.Kind.REFUSED);
    StageForm small = Routes.form("small", broken);

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("generate", broken)
                .fallback("generate", small)
                .from("minimal", "generate", small));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(trial.told.callsOf("generate"))
        .extracting(c -> c.backend())
        .containsExactly("generate", "small");
  }
}
