package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.BudgetDraft.at;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.support.Questions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Journeys whose plan leaves something out, in made time; a chance of 1 is never a trial. */
@Timeout(120)
class OmissionTest {
  private static final LeftOut RERANK = LeftOut.NOTHING.with("rerank");
  private static final LeftOut FROM_FAST = LeftOut.NOTHING.from("fast");

  private final Trial trial = new Trial();
  private JourneyPolicy policy = JourneyPolicy.PLAIN;

  private Route route(LeftOut left) {
    return route(left, 100);
  }

  /** Level fast has no rerank and a smaller model, level minimal no rewrite either. */
  private Route route(LeftOut left, long rerankMs) {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(
                rewrite().cap("300ms"),
                search().cap("1s"),
                rerank().cap("600ms"),
                generate().floor("1s"))
            .level("full", "1s", List.of())
            .level("fast", "600ms", List.of("rerank"), at("generate", null, "300ms"))
            .level("minimal", "300ms", List.of("rewrite", "rerank"), at("generate", null, "200ms"));
    StageForm small = Routes.form("small-llm", trial.writes(50, "Less."));
    return Routes.of(draft)
        .port("rewrite", (Rewriter) (c, q, e, i) -> takes(50, q))
        .port("search", trial.finds(200, "a", "b"))
        .port("rerank", trial.reverses(rerankMs))
        .port("generate", trial.writes(500, "All of it."))
        .from(
            "fast",
            "generate",
            new StageForm(
                "v1", small.backend(), small.port(), 0, null, false, null, null, "", "", null))
        .policy(policy)
        .leaving(left)
        .route();
  }

  private <T> T takes(long ms, T result) throws InterruptedException {
    trial.machinery.takes(ms * MS);
    return result;
  }

  private Answer ask(Route route) throws Exception {
    trial.told.forget();
    trial.machinery.chance(() -> 1);
    return trial.ask(route, null, false);
  }

  private Answer tries(Route route) throws Exception {
    trial.told.forget();
    aSecondLater();
    trial.machinery.chance(() -> 0);
    return trial.ask(route, null, false);
  }

  private void aSecondLater() throws Exception {
    trial.machinery.live(
        () -> {
          trial.machinery.takes(1_000 * MS);
          return null;
        });
  }

  @Test
  void a_stage_that_is_left_out_is_skipped_and_the_answer_says_so() throws Exception {
    Answer answer = ask(route(RERANK));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "level"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.content()).as("the best model still writes it").isEqualTo("All of it.");
    assertThat(answer.levelName()).as("the first level that covers it").isEqualTo("fast");
    assertThat(answer.hint()).isEqualTo(Routes.HINT);
    assertThat(answer.sources().getFirst().id()).as("nothing was ranked anew").isEqualTo("a");
    assertThat(answer.firstTokenNanos()).isEqualTo((50 + 200 + 500) * MS);
    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("rerank", "level"));
    assertThat(trial.told.starts).noneMatch(start -> start.stage().equals("rerank"));
    assertThat(trial.told.probes).isEmpty();
  }

  @Test
  void what_is_left_out_gives_its_time_to_the_others() throws Exception {
    ask(route(RERANK, 700));
    long with = start("generate");

    ask(route(LeftOut.NOTHING, 700));
    assertThat(with - start("generate")).as("its cap of 600 ms").isEqualTo(600 * MS);
  }

  private long start(String stage) {
    return trial.told.starts.stream()
        .filter(of -> of.stage().equals(stage))
        .findFirst()
        .orElseThrow()
        .remainingNanos();
  }

  @Test
  void a_journey_begins_at_the_start_level_and_never_climbs() throws Exception {
    Answer answer = ask(route(FROM_FAST));

    assertThat(answer.levelName()).isEqualTo("fast");
    assertThat(answer.content()).isEqualTo("Less.");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "level"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);

    assertThat(ask(route(LeftOut.NOTHING.from("minimal"))).levelName()).isEqualTo("minimal");
  }

  @Test
  void a_journey_on_trial_runs_everything_from_the_first_level_and_says_so() throws Exception {
    Answer answer = tries(route(RERANK));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.skipped()).isEmpty();
    assertThat(trial.told.probes).containsExactly("rerank");

    answer = tries(route(FROM_FAST));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.levelName()).isEqualTo("full");
    assertThat(trial.told.probes).containsExactly("rerank", "generate");
    assertThat(trial.told.end("generate").form().variant()).isEqualTo("v0");
  }

  @Test
  void a_journey_on_trial_keeps_its_deadline_and_its_caps() throws Exception {
    Answer answer = tries(route(RERANK, 3_600_000));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "timeout"));
    assertThat(trial.told.end("rerank").elapsedNanos()).isEqualTo(600 * MS);
    assertThat(answer.content()).isEqualTo("All of it.");
    assertThat(answer.remainingNanos()).isPositive();
  }

  @Test
  void about_the_share_of_the_journeys_is_on_trial_and_at_most_one_a_second() throws Exception {
    Random random = new Random(7);
    Route route = route(RERANK, 100);
    int full = 0;
    for (int i = 0; i < 2_000; i++) {
      aSecondLater();
      trial.machinery.chance(random::nextDouble);
      full += trial.ask(route, null, false).outcome() == Answer.Outcome.FULL ? 1 : 0;
    }
    assertThat(full).as("of 2000, one in twenty").isBetween(65, 135);

    trial.told.forget();
    aSecondLater();
    trial.machinery.chance(() -> 0);
    trial.askTogether(route, 20);
    assertThat(trial.told.probes).hasSize(1);
  }

  @Test
  void no_trial_where_the_pod_has_too_much_to_do_or_the_caller_less_time_or_for_a_drill()
      throws Exception {
    aSecondLater();
    Route route = route(RERANK);
    trial.ask(route, now -> Questions.admitted(now, 2_900 * MS, 0, null));
    trial.ask(route, now -> Questions.admitted(now, null, 1, null));
    trial.ask(
        route, now -> Questions.admitted(now, null, 0, new Drill("rerank", Drill.Failure.ERROR)));
    trial.runner().learnWhile(() -> false);
    trial.ask(route, null, false);
    assertThat(trial.told.probes).isEmpty();
    assertThat(trial.told.answers).noneMatch(a -> a.outcome() == Answer.Outcome.FULL);

    trial.runner().learnWhile(() -> true);
    trial.ask(route, null, false);
    assertThat(trial.told.probes).as("and none was used up").containsExactly("rerank");
  }

  @Test
  void what_admission_chose_is_overload_only_where_the_plan_would_have_run_it() throws Exception {
    trial.machinery.chance(() -> 1);
    trial.ask(route(FROM_FAST), now -> Questions.admitted(now, null, 1, null));
    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("rerank", "level"));

    trial.told.forget();
    trial.ask(route(FROM_FAST), now -> Questions.admitted(now, null, 2, null));
    assertThat(trial.told.skips)
        .containsExactly(
            new Answer.Skipped("rewrite", "overload"), new Answer.Skipped("rerank", "overload"));
  }

  @Test
  void where_the_budget_is_only_observed_everything_runs_and_what_would_be_left_out_is_told()
      throws Exception {
    policy = new JourneyPolicy(Enforcement.OBSERVE, false, 0, null, LearningPolicy.NOTHING);

    Answer answer = ask(route(RERANK));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.wouldCut()).containsExactly(new Answer.Skipped("rerank", "level"));

    answer = ask(route(FROM_FAST));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.wouldCut()).contains(new Answer.Skipped("rerank", "level"));
  }
}
