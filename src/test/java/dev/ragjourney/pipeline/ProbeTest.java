package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.BudgetDraft.at;
import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.support.Questions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Journeys that try the level above the one that their time picks, in made time. */
@Timeout(120)
class ProbeTest {
  private static final String FULL = "full";
  private static final String FAST = "fast";

  private final Trial trial = new Trial();

  @BeforeEach
  void aSecondOfItsOwn() throws Exception {
    nextSecond();
  }

  private void nextSecond() throws Exception {
    trial.machinery.live(
        () -> {
          trial.machinery.takes(1_000 * MS);
          return null;
        });
  }

  private static JourneyPolicy probing(double share) {
    return new JourneyPolicy(Enforcement.ENFORCE, true, 0, null, new LearningPolicy(0, share));
  }

  /**
   * Below 2200 ms at rerank and 2 s at generate the time picks the fast level, which has a smaller
   * model and no rerank.
   */
  private static BudgetDraft draft(StageDraft search, StageDraft rerank, StageDraft generate) {
    return BudgetDraft.of("3s")
        .stages(search, rerank, generate)
        .level(FULL, "2500ms", List.of(), at("rerank", "2200ms", null), at("generate", "2s", null))
        .level(FAST, "500ms", List.of("rerank"), at("generate", null, "300ms"));
  }

  private Routes slowSearch(long ms) {
    return slowSearch(ms, 100);
  }

  private Routes slowSearch(long ms, long rerankMs) {
    return routes(
        draft(search().cap("1s"), rerank().cap("300ms"), generate().floor("1s")), ms, rerankMs);
  }

  private Routes routes(BudgetDraft draft, long searchMs, long rerankMs) {
    return Routes.of(draft)
        .port("search", trial.finds(searchMs, "a", "b"))
        .port("rerank", trial.reverses(rerankMs))
        .port("generate", trial.writes(500, "All of it."))
        .from(FAST, "generate", small())
        .policy(probing(1));
  }

  private StageForm small() {
    StageForm form = Routes.form("small-llm", trial.writes(50, "Less."));
    return new StageForm(
        "v1", form.backend(), form.port(), 0, null, false, null, null, "", "", null);
  }

  @Test
  void without_a_probe_the_time_picks_the_level() throws Exception {
    Answer answer = trial.ask(slowSearch(900).policy(JourneyPolicy.PLAIN));

    assertThat(answer.levelName()).isEqualTo(FAST);
    assertThat(answer.content()).isEqualTo("Less.");
    assertThat(trial.told.end("generate").form().variant())
        .as("measured as the form that ran")
        .isEqualTo("v1");
    assertThat(trial.told.end("search").form().variant()).isEqualTo("v0");
    assertThat(trial.told.probes).isEmpty();
  }

  @Test
  void a_journey_on_trial_runs_the_better_forms_and_says_so() throws Exception {
    Answer answer = trial.ask(slowSearch(900));

    assertThat(trial.told.probes).containsExactly("rerank", "generate");
    assertThat(trial.told.end("rerank").outcome()).isEqualTo(StageOutcome.SUCCESS);
    assertThat(trial.told.end("generate").form().variant()).isEqualTo("v0");
    assertThat(answer.content()).isEqualTo("All of it.");
    assertThat(answer.levelName()).isEqualTo(FULL);
    assertThat(answer.outcome()).as("what really ran was all of it").isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.firstTokenNanos()).isEqualTo((900 + 100 + 500) * MS);
  }

  @Test
  void a_journey_whose_time_picks_the_best_level_is_on_no_trial() throws Exception {
    trial.ask(slowSearch(100));
    assertThat(trial.told.probes).isEmpty();

    trial.ask(slowSearch(900));
    assertThat(trial.told.probes).as("and it has used up none").isNotEmpty();
  }

  @Test
  void a_trial_that_grows_slow_ends_where_the_floors_do_not_fit_any_more() throws Exception {
    BudgetDraft draft =
        draft(search().cap("1s"), rerank().cap("800ms"), generate().floor("1100ms"));
    Answer answer = trial.ask(routes(draft, 950, 900));

    // 3000 − 950 − 800 leave 1250 to generate, which needs more than 1100 + 50: it fits.
    assertThat(trial.told.probes).containsExactly("rerank", "generate");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "timeout"));

    trial.told.forget();
    nextSecond();
    draft = draft(search().cap("1s"), rerank().cap("800ms"), generate().floor("1200ms"));
    answer = trial.ask(routes(draft, 950, 900));
    assertThat(trial.told.probes).as("1250 ms are not more than 1250").containsExactly("rerank");
    assertThat(answer.levelName()).isEqualTo(FAST);
    assertThat(answer.content()).isEqualTo("Less.");
  }

  @Test
  void a_trial_of_one_stage_is_reported_as_the_level_that_wrote_the_answer() throws Exception {
    // From generate on the pod has too much to do.
    Routes routes = slowSearch(900);
    trial.runner().learnWhile(() -> trial.told.ends.size() < 2);

    Answer answer = trial.ask(routes);

    assertThat(trial.told.probes).containsExactly("rerank");
    assertThat(answer.levelName()).isEqualTo(FAST);
    assertThat(answer.skipped()).as("rerank did run").isEmpty();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
  }

  @Test
  void only_one_level_up_is_tried() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("1s"), generate().floor("1s"))
            .level(FULL, "2500ms", List.of(), at("generate", "2800ms", null))
            .level("middle", "1s", List.of(), at("generate", "2500ms", "800ms"))
            .level(FAST, "500ms", List.of(), at("generate", null, "300ms"));
    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(900, "a"))
                .port("generate", trial.writes(100, "All of it."))
                .from("middle", "generate", Routes.form("middle-llm", trial.writes(100, "Some.")))
                .from(FAST, "generate", small())
                .policy(probing(1)));

    assertThat(answer.content()).isEqualTo("Some.");
    assertThat(answer.levelName()).isEqualTo("middle");
  }

  @Test
  void at_most_one_journey_a_second_is_on_trial() throws Exception {
    Route route = slowSearch(900).route();
    trial.askTogether(route, 20);
    assertThat(trial.told.probes.stream().filter("rerank"::equals)).hasSize(1);
    assertThat(trial.told.answers.stream().filter(a -> a.levelName().equals(FULL))).hasSize(1);

    trial.askTogether(route, 20);
    assertThat(trial.told.probes.stream().filter("rerank"::equals)).hasSize(2);
  }

  @Test
  void about_the_share_of_the_journeys_that_fall_is_on_trial() throws Exception {
    Random random = new Random(3);
    trial.machinery.chance(random::nextDouble);
    Route route = slowSearch(900).policy(probing(0.1)).route();
    for (int i = 0; i < 2_000; i++) {
      trial.ask(route, null, false);
    }

    assertThat(trial.told.probes.stream().filter("generate"::equals).count()).isBetween(160L, 240L);
    assertThat(trial.told.answers.stream().filter(a -> a.levelName().equals(FULL)).count())
        .as("each journey is wholly on trial or not at all")
        .isEqualTo(trial.told.probes.stream().filter("generate"::equals).count());
  }

  @Test
  void a_pod_with_too_much_to_do_tries_nothing() throws Exception {
    trial.runner().learnWhile(() -> false);
    trial.ask(slowSearch(900));

    assertThat(trial.told.probes).isEmpty();
  }

  @Test
  void what_admission_started_lower_tries_nothing() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("1s"), generate().floor("1s"))
            .level(FULL, "2500ms", List.of())
            .level("middle", "1s", List.of(), at("generate", "2500ms", "800ms"))
            .level(FAST, "500ms", List.of(), at("generate", null, "300ms"));
    Routes routes =
        Routes.of(draft)
            .port("search", trial.finds(900, "a"))
            .port("generate", trial.writes(100, "All of it."))
            .from(FAST, "generate", small())
            .policy(probing(1));
    trial.ask(routes.route(), now -> Questions.admitted(now, null, 1, null));

    assertThat(trial.told.probes).isEmpty();
  }

  @Test
  void a_journey_that_its_caller_shortened_tries_nothing() throws Exception {
    trial.ask(slowSearch(900).route(), now -> Questions.admitted(now, 2_900 * MS, 0, null));
    assertThat(trial.told.answers.getFirst().levelName()).isEqualTo(FAST);
    assertThat(trial.told.probes).isEmpty();

    trial.ask(slowSearch(900).route(), now -> Questions.admitted(now, 3_100 * MS, 0, null));
    assertThat(trial.told.probes).as("a caller with more time changes nothing").isNotEmpty();
  }

  @Test
  void a_drilled_journey_tries_nothing() throws Exception {
    Drill drill = new Drill("rerank", Drill.Failure.ERROR);
    trial.ask(slowSearch(900).route(), now -> Questions.admitted(now, null, 0, drill));

    assertThat(trial.told.probes).isEmpty();
  }

  @Test
  void a_backend_that_is_left_alone_is_not_tried() throws Exception {
    BudgetDraft draft =
        draft(
            search().cap("1s"),
            rerank().cap("300ms").breaker(0.5, 0.5, 1, "1h"),
            generate().floor("1s"));
    Routes routes =
        routes(draft, 900, 100)
            .port(
                "rerank",
                (Reranker) (c, q, p) -> trial.fails(1, BackendException.Kind.UNAVAILABLE));
    Route route = routes.route();
    trial.ask(route, null, false);
    assertThat(trial.told.probes).contains("rerank");

    trial.told.forget();
    nextSecond();
    trial.ask(route, null, false);
    assertThat(trial.told.probes).as("its breaker is open now").doesNotContain("rerank");
  }

  @ParameterizedTest(name = "search takes {0} ms: {1}")
  @CsvSource({
    // rerank's 300, generate's 1000 and the reserve's 50 of what is left of 3000
    "1640,true",
    "1660,false"
  })
  void a_stage_is_tried_only_where_its_whole_cap_and_all_floors_fit(long ms, boolean tried)
      throws Exception {
    BudgetDraft draft = draft(search().cap("2s"), rerank().cap("300ms"), generate().floor("1s"));
    // At most 2 s of search leave the fast level its time.
    Answer answer = trial.ask(routes(draft, ms, 100));

    assertThat(trial.told.probes.contains("rerank")).isEqualTo(tried);
    assertThat(answer.outcome()).isNotEqualTo(Answer.Outcome.STATIC);
  }

  @Test
  void where_no_level_but_the_message_is_left_the_cheapest_is_tried_if_it_fits() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(search().cap("2s"), generate().floor("600ms"))
            .level(FULL, "2500ms", List.of(), at("generate", "2s", null));
    Routes routes =
        Routes.of(draft)
            .port("search", trial.finds(1_500, "a"))
            .port("generate", trial.writes(200, "All of it."));

    assertThat(trial.ask(routes).outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(trial.ask(routes.policy(probing(1))).content()).isEqualTo("All of it.");
  }

  @Test
  void where_the_budget_is_only_observed_there_is_nothing_to_try() throws Exception {
    Routes routes =
        slowSearch(900)
            .policy(
                new JourneyPolicy(Enforcement.OBSERVE, false, 0, null, new LearningPolicy(0, 1)));

    assertThat(trial.ask(routes).levelName()).isEqualTo(FULL);
    assertThat(trial.told.probes).isEmpty();
  }
}
