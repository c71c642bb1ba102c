package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where on the ladder a journey begins, and what does not push it down, in made time. */
@Timeout(30)
class LevelTest {
  private final Trial trial = new Trial();

  @Test
  void a_journey_that_admission_starts_lower_begins_there_and_says_why() throws Exception {
    Route route =
        trial
            .routes(
                Trial.threeSeconds()
                    .level("full", "2s", List.of())
                    .level("fast", "1s500ms", List.of("rerank"))
                    .level("minimal", "1s100ms", List.of("rewrite", "rerank")))
            .route();

    Answer answer =
        trial.ask(
            route,
            now ->
                new Question("why?", List.of(), "", now, null, false, null, 2, null, null, null));

    assertThat(answer.levelName()).isEqualTo("minimal");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.skipped())
        .containsExactly(
            new Answer.Skipped("rewrite", "overload"), new Answer.Skipped("rerank", "overload"));
  }

  @Test
  void a_stage_that_is_cut_to_leave_generate_its_floor_leaves_it_its_level_too() throws Exception {
    Answer answer =
        trial.ask(
            trial
                .routes(
                    BudgetDraft.of("2s")
                        .stages(
                            search().cap("1s"), rerank().cap("900ms"), generate().floor("600ms")))
                .port("search", trial.finds(900, "a"))
                .port("rerank", trial.reverses(5_000)));

    assertThat(answer.content()).isEqualTo("Because it is.");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "timeout"));
    assertThat(trial.told.remainingAtGenerate).containsExactly((600 + 50) * MS);
  }
}
