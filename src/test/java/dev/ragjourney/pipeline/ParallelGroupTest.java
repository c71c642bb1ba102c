package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stages side by side, in made time. */
@Timeout(120)
class ParallelGroupTest {
  private final Trial trial = new Trial();
  private final List<String> prompted = Collections.synchronizedList(new ArrayList<>());

  private static StageDraft tool(String name) {
    return stage(name, StageType.TOOL).group("g").cap("1s");
  }

  private static BudgetDraft threeSeconds(StageDraft... beside) {
    List<StageDraft> all = new ArrayList<>(List.of(beside));
    all.add(generate().floor("1s"));
    return BudgetDraft.of("3s").stages(all.toArray(StageDraft[]::new));
  }

  private Routes routes(BudgetDraft draft) {
    return Routes.of(draft).port("generate", promptKeeper());
  }

  private Generator promptKeeper() {
    return (call, prompt, sink) -> {
      prompt.passages().forEach(passage -> prompted.add(passage.text()));
      return trial.writes(100, "Well.").generate(call, prompt, sink);
    };
  }

  private Tool says(long ms, String text) {
    return (call, input) -> {
      trial.machinery.takes(ms * MS);
      return text;
    };
  }

  private Tool fails(long ms) {
    return (call, input) -> trial.fails(ms, BackendException.Kind.SERVER_ERROR);
  }

  private List<String> ends() {
    return trial.told.ends.stream()
        .map(
            e ->
                "%s %s %s %d"
                    .formatted(
                        e.stage(), e.outcome().label(), e.cut().label(), e.elapsedNanos() / MS))
        .toList();
  }

  @Test
  void stages_side_by_side_take_as_long_as_the_longest() throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("weather"), tool("calendar")))
                .port("weather", says(400, "rain"))
                .port("calendar", says(700, "monday")));

    assertThat(answer.firstTokenNanos()).isEqualTo((700 + 100) * MS);
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(ends())
        .containsExactly("weather success  400", "calendar success  700", "generate success  100");
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .containsExactly("weather", "calendar", "generate");
  }

  @Test
  void stages_of_different_groups_follow_one_another() throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("weather").group("a"), tool("calendar").group("b")))
                .port("weather", says(400, "rain"))
                .port("calendar", says(700, "monday")));

    assertThat(answer.firstTokenNanos()).isEqualTo((400 + 700 + 100) * MS);
  }

  @ParameterizedTest(name = "weather after {0} ms, calendar after {1} ms")
  @CsvSource({"100, 500", "500, 100", "300, 300"})
  void what_came_first_does_not_change_the_context(long weather, long calendar) throws Exception {
    trial.ask(
        routes(threeSeconds(tool("weather"), tool("calendar")))
            .port("weather", says(weather, "rain"))
            .port("calendar", says(calendar, "monday")));

    assertThat(prompted).containsExactly("rain", "monday");
  }

  @Test
  void a_required_stage_that_fails_cancels_the_others_and_ends_the_journey() throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("weather"), tool("calendar"), tool("stock").optional()))
                .port("weather", says(900, "rain"))
                .port("calendar", fails(200))
                .port("stock", says(60_000, "up")));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.latencyNanos()).isEqualTo(200 * MS);
    assertThat(answer.problem()).extracting(Answer.Problem::stage).isEqualTo("calendar");
    assertThat(ends())
        .containsExactly("calendar error  200", "weather cancelled  200", "stock cancelled  200");
    assertThat(answer.skipped())
        .containsExactly(
            new Answer.Skipped("weather", "cancelled"),
            new Answer.Skipped("calendar", "error"),
            new Answer.Skipped("stock", "cancelled"));
    trial.machinery.awaitEnded();
    assertThat(trial.machinery.pending()).as("deadlines left armed").isZero();
  }

  @Test
  void an_optional_stage_that_fails_cancels_nobody() throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("weather"), tool("calendar").optional()))
                .port("weather", says(400, "rain"))
                .port("calendar", fails(10)));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(prompted).containsExactly("rain");
    assertThat(ends()).contains("calendar error  10", "weather success  400");
  }

  @ParameterizedTest(name = "required after {0} ms, optional after {1} ms: over after {2} ms")
  @CsvSource({
    "100, 250, 250, true",
    "100, 301, 300, false",
    "100, 900, 300, false",
    "500, 450, 500, true",
    "500, 900, 500, false",
  })
  void an_optional_stage_may_be_late_until_its_degrade_after_and_as_long_as_a_required_one_runs(
      long required, long optional, long over, boolean used) throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("weather"), tool("calendar").optional().degradeAfter("300ms")))
                .port("weather", says(required, "rain"))
                .port("calendar", says(optional, "monday")));

    assertThat(answer.firstTokenNanos()).isEqualTo((over + 100) * MS);
    assertThat(prompted.contains("monday")).isEqualTo(used);
    assertThat(answer.skipped())
        .isEqualTo(used ? List.of() : List.of(new Answer.Skipped("calendar", "timeout")));
    if (!used) {
      JourneyListener.StageEnd end = trial.told.end("calendar");
      assertThat(end.outcome()).isEqualTo(StageOutcome.TIMEOUT);
      assertThat(end.cut()).isEqualTo(Cut.LOST);
    }
  }

  @Test
  void without_degrade_after_an_optional_stage_may_be_late_until_its_cap() throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("weather"), tool("calendar").optional().cap("600ms")))
                .port("weather", says(100, "rain"))
                .port("calendar", says(60_000, "monday")));

    assertThat(answer.firstTokenNanos()).isEqualTo((600 + 100) * MS);
    assertThat(trial.told.end("calendar").cut()).isEqualTo(Cut.CAP);
  }

  @Test
  void an_optional_stage_with_a_fallback_is_waited_for_until_that_has_answered() throws Exception {
    Answer answer =
        trial.ask(
            routes(
                    threeSeconds(
                        tool("weather"),
                        tool("calendar")
                            .optional()
                            .degradeAfter("300ms")
                            .fallback("300ms", "300ms")))
                .port("weather", says(100, "rain"))
                .port("calendar", says(60_000, "monday"))
                .fallback("calendar", says(200, "some day")));

    assertThat(answer.firstTokenNanos()).isEqualTo((300 + 200 + 100) * MS);
    assertThat(prompted).containsExactly("rain", "some day");
  }

  @Test
  void where_the_budget_is_only_observed_nobody_is_left_behind() throws Exception {
    trial.ask(
        routes(threeSeconds(tool("weather"), tool("calendar").optional().degradeAfter("300ms")))
            .policy(new JourneyPolicy(Enforcement.OBSERVE, false, 0, null, null))
            .port("weather", says(100, "rain"))
            .port("calendar", says(900, "monday")));

    assertThat(prompted).containsExactly("rain", "monday");
  }

  @Test
  void an_optional_stage_that_runs_alone_has_all_of_its_cap() throws Exception {
    Answer answer =
        trial.ask(
            routes(threeSeconds(tool("calendar").optional().degradeAfter("300ms")))
                .port("calendar", says(900, "monday")));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(prompted).containsExactly("monday");
  }

  @Test
  void every_stage_has_its_allowance_of_what_is_left_when_the_group_starts() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("2s")
            .stages(
                tool("weather").cap("1s"),
                tool("calendar").cap("400ms").floor("300ms"),
                stage("stock", StageType.TOOL).cap("500ms").floor("200ms"),
                generate().floor("900ms"));

    trial.ask(
        routes(draft)
            .port("weather", says(10, "rain"))
            .port("calendar", says(10, "monday"))
            .port("stock", says(10, "up")));

    // 2000 − reserve 50 − stock 200 − generate 900; the neighbour's floor is not held back.
    assertThat(trial.told.starts)
        .extracting(start -> start.stage() + " " + start.allowanceNanos() / MS)
        .startsWith("weather 850", "calendar 400");
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::remainingNanos)
        .startsWith(2000 * MS, 2000 * MS);
  }

  @Test
  void the_level_is_chosen_once_and_is_possible_at_every_stage_of_the_group() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .stages(tool("weather"), tool("calendar").optional(), generate().floor("500ms"))
            .level("full", "1s", List.of(), BudgetDraft.at("calendar", "3s", null))
            .level("fast", "500ms", List.of("calendar"));

    Answer answer =
        trial.ask(
            routes(draft).port("weather", says(10, "rain")).port("calendar", says(10, "monday")));

    assertThat(trial.told.starts)
        .extracting(start -> start.stage() + " " + start.level())
        .containsExactly("weather 1", "generate 1");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("calendar", "level"));
  }

  @Test
  void a_caller_who_leaves_ends_every_stage_of_the_group() {
    LeavingCaller caller = new LeavingCaller();
    Route route =
        routes(threeSeconds(tool("weather"), tool("calendar")))
            .port(
                "weather",
                (Tool)
                    (call, input) -> {
                      trial.machinery.takes(200 * MS);
                      caller.leave();
                      trial.machinery.takes(60_000 * MS);
                      return "rain";
                    })
            .port("calendar", says(60_000, "monday"))
            .route();

    assertThatThrownBy(
            () ->
                trial.machinery.live(
                    () ->
                        trial
                            .runner()
                            .run(
                                route,
                                Questions.asked(trial.machinery.time().nanos(), null, false),
                                text -> {},
                                caller)))
        .isInstanceOf(CallCancelledException.class);
    assertThat(ends())
        .containsExactly("weather cancelled caller 200", "calendar cancelled caller 200");
    trial.machinery.awaitEnded();
    assertThat(trial.machinery.pending()).as("deadlines left armed").isZero();
  }
}
