package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LevelStage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code enforcement: Observe}: nothing is cut but by the journey's own deadline, in made time. */
@Timeout(30)
class ObserveTest {
  private static final JourneyPolicy OBSERVE =
      new JourneyPolicy(Enforcement.OBSERVE, false, 0, null, null);

  private final Trial trial = new Trial();

  @Test
  void a_stage_that_overruns_its_cap_goes_on_and_is_counted() throws Exception {
    Answer answer = ask(trial.routes(Trial.threeSeconds()).port("rerank", trial.reverses(900)));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.skipped()).isEmpty();
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("b", "a");
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 200 + 900 + 500) * MS);
    assertThat(answer.wouldCut()).containsExactly(new Answer.Skipped("rerank", "cap"));
    assertThat(trial.told.wouldBeCut).containsExactly(new Answer.Skipped("rerank", "cap"));
  }

  @Test
  void nothing_is_counted_where_everything_keeps_to_its_time() throws Exception {
    Answer answer = ask(trial.routes(Trial.threeSeconds()));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.wouldCut()).isEmpty();
  }

  @Test
  void a_stage_cut_by_what_is_held_back_is_counted_as_such() throws Exception {
    Answer answer =
        ask(
            trial
                .routes(
                    BudgetDraft.of("2s")
                        .stages(
                            search().cap("1s"), rerank().cap("900ms"), generate().floor("600ms")))
                .port("search", trial.finds(900, "a", "b"))
                .port("rerank", trial.reverses(500)));

    assertThat(answer.wouldCut())
        .as("2000 − 900 − 50 − 600 = 450")
        .containsExactly(new Answer.Skipped("rerank", "deadline"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
  }

  @Test
  void the_level_is_not_lowered_and_what_it_would_leave_out_is_counted() throws Exception {
    Routes routes =
        trial
            .routes(
                BudgetDraft.of("3s")
                    .stages(
                        rewrite().cap("2s"),
                        search().cap("1s"),
                        rerank().cap("300ms"),
                        generate().floor("400ms"))
                    .level(
                        "full",
                        "2s",
                        List.of(),
                        new LevelStage("rerank", Duration.ofSeconds(2), null))
                    .level("fast", "500ms", List.of("rerank")))
            .port("rewrite", trial.rewrites(1200));

    Answer answer = ask(routes);

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.level()).isZero();
    assertThat(answer.wouldCut()).containsExactly(new Answer.Skipped("rerank", "level"));
  }

  @Test
  void a_late_primary_is_waited_for_and_its_fallback_is_not_started() throws Exception {
    Routes routes =
        trial
            .routes(
                BudgetDraft.of("3s")
                    .stages(
                        search().cap("600ms").degradeAfter("300ms").fallback("200ms", "300ms"),
                        generate().floor("1s")))
            .port("search", trial.finds(1100, "late"))
            .fallback("search", trial.finds(10, "fallback"));

    Answer answer = ask(routes);

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("late");
    assertThat(answer.wouldCut()).containsExactly(new Answer.Skipped("search", "cap"));
    assertThat(trial.told.callsOf("search")).hasSize(1);
  }

  @Test
  void a_failed_primary_still_falls_back() throws Exception {
    Routes routes =
        trial
            .routes(
                BudgetDraft.of("3s")
                    .stages(
                        search().cap("600ms").degradeAfter("300ms").fallback("200ms", "300ms"),
                        generate().floor("1s")))
            .port(
                "search",
                (PassageSearch) (call, query) -> trial.fails(50, BackendException.Kind.UNAVAILABLE))
            .fallback("search", trial.finds(700, "fallback"));

    Answer answer = ask(routes);

    assertThat(answer.sources()).extracting(Passage::id).containsExactly("fallback");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void the_deadlines_own_answer_still_comes() throws Exception {
    Answer hung = ask(trial.routes(Trial.threeSeconds()).port("rerank", trial.reverses(60_000)));
    assertThat(hung.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(hung.latencyNanos()).isEqualTo(2950 * MS);
    assertThat(hung.wouldCut()).containsExactly(new Answer.Skipped("rerank", "cap"));

    Answer silent =
        ask(trial.routes(Trial.threeSeconds()).port("generate", trial.writes(60_000, "Too late.")));
    assertThat(silent.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(silent.latencyNanos()).isEqualTo(2950 * MS);
  }

  @Test
  void a_first_token_after_the_allowance_counts_and_is_no_miss() throws Exception {
    Answer answer =
        ask(
            trial
                .routes(
                    BudgetDraft.of("3s")
                        .stages(search().cap("1s"), generate().floor("1s").cap("700ms")))
                .port("generate", trial.writes(1500, "At last.")));

    assertThat(answer.content()).isEqualTo("At last.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.wouldCut()).containsExactly(new Answer.Skipped("generate", "cap"));
  }

  private Answer ask(Routes routes) throws Exception {
    return trial.ask(routes.policy(OBSERVE));
  }
}
