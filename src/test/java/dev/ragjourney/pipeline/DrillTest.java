package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.support.Questions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C12: a forced failure takes the way that a real one would take, in made time. */
@Timeout(30)
class DrillTest {
  private final Trial trial = new Trial();

  @Test
  void an_optional_stage_that_is_drilled_to_time_out_is_skipped_at_its_cap() throws Exception {
    Answer answer = ask(new Drill("rerank", Drill.Failure.TIMEOUT));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "drill"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 200 + 300 + 500) * MS);
    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("rerank", "drill"));
  }

  @Test
  void an_optional_stage_that_is_drilled_to_fail_is_skipped_at_once() throws Exception {
    Answer answer = ask(new Drill("rerank", Drill.Failure.ERROR));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rerank", "drill"));
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 200 + 500) * MS);
  }

  @Test
  void no_backend_is_asked_and_no_latency_is_recorded_for_a_drilled_call() throws Exception {
    ask(new Drill("rerank", Drill.Failure.TIMEOUT));

    assertThat(trial.told.callsOf("rerank")).isEmpty();
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .doesNotContain("rerank");
    assertThat(trial.told.ends)
        .extracting(JourneyListener.StageEnd::stage)
        .doesNotContain("rerank");
  }

  @Test
  void a_required_stage_falls_back() throws Exception {
    Routes routes =
        trial
            .routes(
                BudgetDraft.of("3s")
                    .stages(
                        search().cap("1s").degradeAfter("400ms").fallback("500ms", "300ms"),
                        rerank().cap("300ms"),
                        generate().floor("1s")))
            .fallback("search", trial.finds(150, "b"));

    Answer late = ask(routes, new Drill("search", Drill.Failure.TIMEOUT));
    assertThat(late.sources()).extracting(Passage::id).containsExactly("b");
    assertThat(late.firstTokenNanos()).isEqualTo((400 + 150 + 50 + 500) * MS);
    assertThat(late.outcome()).isEqualTo(Answer.Outcome.DEGRADED);

    Answer failed = ask(routes, new Drill("search", Drill.Failure.ERROR));
    assertThat(failed.firstTokenNanos()).isEqualTo((150 + 50 + 500) * MS);
    assertThat(trial.told.skips)
        .containsExactly(
            new Answer.Skipped("search", "drill"), new Answer.Skipped("search", "drill"));
  }

  @Test
  void a_drilled_model_gives_way_to_its_fallback() throws Exception {
    Routes routes =
        trial
            .routes(
                BudgetDraft.of("3s")
                    .stages(
                        search().cap("1s"),
                        generate().floor("1s").degradeAfter("900ms").fallback("500ms", "300ms")))
            .fallback("generate", trial.writes(100, "From the small one."));

    Answer answer = ask(routes, new Drill("generate", Drill.Failure.TIMEOUT));

    assertThat(answer.content()).isEqualTo("From the small one.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.firstTokenNanos()).isEqualTo((200 + 900 + 100) * MS);
  }

  @Test
  void a_drilled_model_without_a_fallback_gives_way_to_a_lower_levels_model() throws Exception {
    Routes routes =
        trial
            .routes(
                Trial.threeSeconds()
                    .level("full", "2s", List.of())
                    .level("small", "500ms", List.of()))
            .from("small", "generate", Routes.form("small-llm", trial.writes(50, "Small.")));

    Answer answer = ask(routes, new Drill("generate", Drill.Failure.ERROR));

    assertThat(answer.content()).isEqualTo("Small.");
    assertThat(answer.levelName()).isEqualTo("small");
    assertThat(trial.told.skips).containsExactly(new Answer.Skipped("generate", "drill"));
  }

  @Test
  void a_drilled_model_is_not_asked_by_a_lower_level_either() throws Exception {
    Routes routes =
        trial.routes(
            Trial.threeSeconds().level("full", "2s", List.of()).level("less", "500ms", List.of()));

    Answer answer = ask(routes, new Drill("generate", Drill.Failure.ERROR));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("generate", "drill"));
  }

  @Test
  void a_drilled_model_with_nothing_below_is_answered_statically() throws Exception {
    Answer answer = ask(new Drill("generate", Drill.Failure.ERROR));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("generate", "drill"));
  }

  @Test
  void the_declared_share_of_the_journeys_is_drilled_in_stages_that_something_catches()
      throws Exception {
    Route route =
        trial
            .routes(
                BudgetDraft.of("3s")
                    .stages(search().cap("1s"), rerank().cap("300ms"), generate().floor("1s")))
            .policy(new JourneyPolicy(Enforcement.ENFORCE, true, 0.1, null, null))
            .route();
    Map<String, Integer> drilled = new HashMap<>();
    Random random = new Random(7);
    Itinerary itinerary = Itinerary.of(route, () -> 0, null);
    for (int i = 0; i < 10_000; i++) {
      Drill drill = Drills.of(itinerary, Questions.asked(0), random::nextDouble);
      if (drill != null) {
        drilled.merge(drill.stage() + "=" + drill.failure().label(), 1, Integer::sum);
      }
    }
    assertThat(drilled.keySet())
        .as("search and generate have nothing to fall back to")
        .containsExactlyInAnyOrder("rerank=timeout", "rerank=error");
    assertThat(drilled.values()).allSatisfy(count -> assertThat(count).isBetween(400, 600));
  }

  @Test
  void a_pod_with_too_much_to_do_drills_nothing_by_itself() throws Exception {
    Route route =
        trial
            .routes(Trial.threeSeconds())
            .policy(new JourneyPolicy(Enforcement.ENFORCE, true, 1, null, null))
            .route();
    Itinerary itinerary = Itinerary.of(route, () -> 0, null);
    Question busy = new Question("why?", List.of(), "", 0, null, false, null, 1, null, null, null);

    assertThat(Drills.of(itinerary, Questions.asked(0), new Random(1)::nextDouble)).isNotNull();
    assertThat(Drills.of(itinerary, busy, new Random(1)::nextDouble)).isNull();
  }

  private Answer ask(Drill drill) throws Exception {
    return ask(trial.routes(Trial.threeSeconds()), drill);
  }

  private Answer ask(Routes routes, Drill drill) throws Exception {
    return trial.ask(
        routes.route(),
        now -> new Question("why?", List.of(), "", now, null, false, null, 0, drill, null, null));
  }
}
