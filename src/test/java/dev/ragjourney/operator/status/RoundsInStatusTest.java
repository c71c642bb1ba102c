package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.StatusFolderTest.condition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Forecast;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.RoundFigures.JourneyFigures;
import dev.ragjourney.rebalance.RoundFigures.StageFigures;
import dev.ragjourney.rebalance.Rungs;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RoundsInStatusTest {
  static Stream<Arguments> decisions() {
    return Stream.of(
        Arguments.of(
            "measured and in balance",
            hold(Reasons.IN_BALANCE, measured(0.05, 0.001)),
            "MetricsAvailable",
            "True/Measured"),
        Arguments.of(
            "measured and in balance",
            hold(Reasons.IN_BALANCE, measured(0.05, 0.001)),
            "Rebalanced",
            "True/InBalance"),
        Arguments.of(
            "cooling down",
            hold(Reasons.COOLING_DOWN, measured(0.05, 0.001)),
            "Rebalanced",
            "False/Holding"),
        Arguments.of(
            "switched off",
            hold(Reasons.DISABLED, measured(0.05, 0.001)),
            "Rebalanced",
            "False/Disabled"),
        Arguments.of("only recommending", recommend(720), "Rebalanced", "False/Recommending"),
        Arguments.of("moved", move(720), "Rebalanced", "True/Rebalanced"),
        Arguments.of(
            "missed within the objective",
            hold(Reasons.IN_BALANCE, measured(0.05, 0.01)),
            "WithinBudget",
            "True/MissRatioLow"),
        Arguments.of(
            "missed above the objective",
            hold(Reasons.IN_BALANCE, measured(0.05, 0.011)),
            "WithinBudget",
            "False/MissRatioHigh"),
        Arguments.of(
            "degraded at the threshold",
            hold(Reasons.IN_BALANCE, measured(0.1, 0)),
            "DegradedRateHigh",
            "False/BelowThreshold"),
        Arguments.of(
            "degraded above the threshold",
            hold(Reasons.IN_BALANCE, measured(0.101, 0)),
            "DegradedRateHigh",
            "True/AboveThreshold"),
        Arguments.of(
            "no traffic",
            hold(Reasons.NO_TRAFFIC, nothing(Reasons.NO_TRAFFIC)),
            "MetricsAvailable",
            "False/NoTraffic"),
        Arguments.of(
            "no traffic",
            hold(Reasons.NO_TRAFFIC, nothing(Reasons.NO_TRAFFIC)),
            "Rebalanced",
            "False/Holding"),
        Arguments.of(
            "no traffic",
            hold(Reasons.NO_TRAFFIC, nothing(Reasons.NO_TRAFFIC)),
            "WithinBudget",
            "Unknown/NoTraffic"),
        Arguments.of(
            "a failed query",
            hold(Reasons.QUERY_FAILED, nothing(Reasons.QUERY_FAILED)),
            "DegradedRateHigh",
            "Unknown/QueryFailed"),
        Arguments.of(
            "a failed query",
            hold(Reasons.QUERY_FAILED, nothing(Reasons.QUERY_FAILED)),
            "StageStarved",
            "Unknown/QueryFailed"),
        Arguments.of(
            "a failed query",
            hold(Reasons.QUERY_FAILED, nothing(Reasons.QUERY_FAILED)),
            "Ready",
            "True/Serving"),
        Arguments.of(
            "no stage skipped",
            hold(Reasons.IN_BALANCE, measured(0.05, 0)),
            "StageStarved",
            "False/StagesRun"));
  }

  @ParameterizedTest(name = "{0}: {2} is {3}")
  @MethodSource("decisions")
  void each_decision_has_its_conditions(
      String seen, RebalanceDecision decision, String type, String expected) {
    Condition condition = condition(after(decision, null), type);

    assertThat(condition.status() + "/" + condition.reason()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "after {0}, {1} degraded is {2}")
  @CsvSource({
    "0.05, 0.09, False",
    "0.05, 0.12, True",
    "0.12, 0.09, True",
    "0.12, 0.08, True",
    "0.12, 0.07, False",
    "0.09, 0.09, False"
  })
  void degraded_rate_high_turns_above_the_threshold_and_clears_below_80_percent_of_it(
      double before, double now, String expected) {
    RagJourneyStatus last = after(hold(Reasons.IN_BALANCE, measured(before, 0)), null);

    RagJourneyStatus next = after(hold(Reasons.IN_BALANCE, measured(now, 0)), last);

    assertThat(condition(next, "DegradedRateHigh").status()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "after {0} left, {1} left is {2}")
  @CsvSource({
    "2000, 1500, False",
    "2000, 1499, True",
    "1400, 1600, True",
    "1400, 1650, True",
    "1400, 1651, False",
    "1600, 1600, False"
  })
  void generate_starts_late_below_half_of_the_budget_and_clears_above_55_percent(
      int before, int now, String expected) {
    RagJourneyStatus last = after(hold(Reasons.IN_BALANCE, remaining(before, 1200)), null);

    RagJourneyStatus next = after(hold(Reasons.IN_BALANCE, remaining(now, 1200)), last);

    assertThat(condition(next, "GenerateStartsLate").status()).isEqualTo(expected);
  }

  @Test
  void a_late_start_of_generate_comes_with_the_figure_and_the_stage_that_takes_the_most() {
    Condition condition =
        condition(
            after(hold(Reasons.IN_BALANCE, remaining(1200, 1200)), null), "GenerateStartsLate");

    assertThat(condition.reason()).isEqualTo("LessThanHalfLeft");
    assertThat(condition.message())
        .isEqualTo(
            "40% of the budget is left when generate starts, at the median; search takes the most of"
                + " it, 240ms at its median; it clears above 55%");
  }

  @Test
  void a_start_of_generate_that_wobbles_is_not_told_anew() {
    RagJourneyStatus first = after(hold(Reasons.IN_BALANCE, remaining(1200, 1200)), null);

    assertThat(after(hold(Reasons.IN_BALANCE, remaining(1240, 1200)), first)).isEqualTo(first);
  }

  static Stream<Arguments> ofAnswers() {
    return Stream.of("WithinBudget", "DegradedRateHigh", "StageStarved", "GenerateStartsLate")
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("ofAnswers")
  void shares_of_fewer_answers_than_min_samples_say_nothing(String type) {
    Condition few = condition(after(hold(Reasons.IN_BALANCE, remaining(1200, 99)), null), type);
    Condition enough = condition(after(hold(Reasons.IN_BALANCE, remaining(1200, 100)), null), type);

    assertThat(few.status() + "/" + few.reason()).isEqualTo("Unknown/TooFewSamples");
    assertThat(few.message()).isEqualTo("fewer than the 100 answers needed in the window");
    assertThat(enough.status()).isNotEqualTo("Unknown");
  }

  @ParameterizedTest(name = "after {0}, {1} skipped is {2}")
  @CsvSource({
    "0.5, 0.8, False",
    "0.5, 0.81, True",
    "0.9, 0.65, True",
    "0.9, 0.63, False",
    "0.7, 0.7, False"
  })
  void a_stage_is_starved_above_80_percent_and_no_longer_below_64(
      double before, double now, String expected) {
    RagJourneyStatus last = after(hold(Reasons.IN_BALANCE, skipped(before, null)), null);

    RagJourneyStatus next = after(hold(Reasons.IN_BALANCE, skipped(now, null)), last);

    assertThat(condition(next, "StageStarved").status()).isEqualTo(expected);
  }

  @Test
  void a_rollback_is_told_with_its_figures_until_its_cooldown_is_over() {
    Journeys journey = Journeys.minimal().rolledOut();
    RebalanceDecision.Move back =
        new RebalanceDecision.Move(
            Reasons.ROLLED_BACK,
            "the last move is taken back: search 720 ms → 600 ms; before 95 % full, now 92 %",
            List.of(change(720)),
            measured(0.05, 0.001));
    journey.round(new Round(Journeys.NOW, 1, back, Rungs.NONE));
    RagJourneyStatus told = journey.status();
    journey.applied().lastStatus(told).at(Journeys.NOW.plusSeconds(300));

    assertThat(condition(told, "Rebalanced").status()).isEqualTo("False");
    assertThat(condition(told, "Rebalanced").reason()).isEqualTo("RolledBack");
    assertThat(told.rebalance().history().getFirst().reason()).isEqualTo("RolledBack");
    assertThat(EventFold.events(null, told))
        .contains(
            new JourneyEvent(
                true, "CapsRolledBack", back.message() + ": search 600ms → 720ms (p95 + 20 %)"));
    journey.round(
        new Round(
            Journeys.NOW.plusSeconds(300),
            2,
            hold(Reasons.COOLING_DOWN, measured(0.05, 0.001)),
            Rungs.NONE));
    Condition cooling = condition(journey.status(), "Rebalanced");
    assertThat(cooling.reason()).isEqualTo("RolledBack");
    assertThat(cooling.message()).isEqualTo(back.message());
    journey.round(
        new Round(
            Journeys.NOW.plusSeconds(600),
            2,
            hold(Reasons.IN_BALANCE, measured(0.05, 0.001)),
            Rungs.NONE));
    assertThat(condition(journey.status(), "Rebalanced").reason()).isEqualTo("InBalance");
  }

  @Test
  void a_pause_is_told_with_its_annotation_and_what_it_would_do() {
    RagJourneyStatus status =
        after(
            new RebalanceDecision.Recommend(
                Reasons.PAUSED,
                "rebalancing is paused; it would: search 600 ms → 720 ms",
                List.of(change(720)),
                measured(0.05, 0.001)),
            null);

    Condition condition = condition(status, "Rebalanced");
    assertThat(condition.status() + "/" + condition.reason()).isEqualTo("False/Paused");
    assertThat(condition.message())
        .startsWith("annotation ragjourney.dev/paused: rebalancing is paused; it would: search");
    assertThat(status.rebalance().recommendation().changes().getFirst().to()).isEqualTo("720ms");
    assertThat(status.journey().p95()).isEqualTo("1s200ms");
  }

  @Test
  void the_ledger_says_who_gave_to_whom_from_how_many_calls_and_by_which_rule() {
    RagJourneyStatus status =
        after(
            new RebalanceDecision.Move(
                Reasons.REBALANCED,
                "search 600 ms → 480 ms; given by search 120 ms to generate 120 ms",
                List.of(
                    new CapChange(
                        "search",
                        CapChange.Moved.CAP,
                        Duration.ofMillis(600),
                        Duration.ofMillis(480),
                        "p95 218 ms + 20 % = 262 ms; ends at maxStep.down 20 %",
                        1000L)),
                measured(0.05, 0.001)),
            null);

    RebalanceMove move = status.rebalance().history().getFirst();
    assertThat(move.rule()).isEqualTo("P95Headroom");
    assertThat(move.message()).contains("given by search 120 ms to generate 120 ms");
    assertThat(move.changes())
        .containsExactly(
            new CapChangeStatus(
                "search",
                "600ms",
                "480ms",
                "p95 218 ms + 20 % = 262 ms; ends at maxStep.down 20 %",
                null,
                1000L));
  }

  @Test
  void a_status_that_was_lost_gets_the_last_move_back_from_the_plan() {
    Journeys journey =
        Journeys.minimal().rolledOut().round(new Round(Journeys.NOW, 1, move(720), Rungs.NONE));
    journey.applied();

    RagJourneyStatus told = journey.round(null).lastStatus(null).status();

    assertThat(told.rebalance().lastMove()).isEqualTo("2030-01-02T03:04:05Z");
    assertThat(told.rebalance().history()).hasSize(1);
    assertThat(journey.lastStatus(told).status().rebalance()).isEqualTo(told.rebalance());
  }

  @Test
  void a_starved_stage_comes_with_the_earlier_stage_that_used_up_its_time() {
    Condition condition =
        condition(after(hold(Reasons.IN_BALANCE, skipped(0.93, "search")), null), "StageStarved");

    assertThat(condition.status()).isEqualTo("True");
    assertThat(condition.message())
        .contains("rerank")
        .contains("93%")
        .contains("used up by search");
  }

  @Test
  void a_stage_starved_by_its_own_cap_comes_with_the_advice() {
    Condition condition =
        condition(after(hold(Reasons.IN_BALANCE, skipped(0.93, null)), null), "StageStarved");

    assertThat(condition.message()).contains("Raise its cap, scale its backend, or remove it");
  }

  @Test
  void figures_are_told_rounded_with_headroom_or_what_is_short() {
    RagJourneyStatus status = after(hold(Reasons.IN_BALANCE, measured(0.0512, 0.0012)), null);

    assertThat(status.journey().p95()).isEqualTo("1s200ms");
    assertThat(status.journey().degradedRatio()).isEqualTo("5.1%");
    assertThat(status.journey().withinBudgetRatio()).isEqualTo("99.9%");
    assertThat(status.stages().get(1).p95()).isEqualTo("480ms");
    assertThat(status.stages().get(1).headroom()).as("cap 600 ms").isEqualTo("120ms");
    assertThat(status.stages().get(2).shortBy()).as("cap 300 ms, p95 350 ms").isEqualTo("50ms");
    assertThat(status.stages().get(1).samples()).isEqualTo(1200);
  }

  @Test
  void figures_that_wobble_are_not_told_anew() {
    RagJourneyStatus first = after(hold(Reasons.IN_BALANCE, measured(0.051, 0.001)), null);

    assertThat(after(hold(Reasons.IN_BALANCE, measured(0.0515, 0.0012)), first)).isEqualTo(first);
    assertThat(after(hold(Reasons.IN_BALANCE, measured(0.07, 0.0012)), first)).isNotEqualTo(first);
  }

  @Test
  void what_a_restart_has_not_measured_yet_stays_as_it_was_told() {
    RagJourneyStatus told = after(hold(Reasons.IN_BALANCE, measured(0.2, 0.001)), null);

    RagJourneyStatus restarted = Journeys.minimal().rolledOut().lastStatus(told).status();

    assertThat(restarted).isEqualTo(told);
  }

  @Test
  void a_recommendation_is_told_and_goes_with_its_reason() {
    RagJourneyStatus told = after(recommend(720), null);

    assertThat(told.rebalance().recommendation().changes().getFirst().to()).isEqualTo("720ms");
    assertThat(after(recommend(730), told)).as("nearly the same").isEqualTo(told);
    assertThat(after(recommend(900), told).rebalance().recommendation().changes().getFirst().to())
        .isEqualTo("900ms");
    assertThat(
            after(hold(Reasons.IN_BALANCE, measured(0.05, 0.001)), told)
                .rebalance()
                .recommendation())
        .isNull();
  }

  @Test
  void the_last_ten_moves_are_told_newest_first() {
    Journeys journey = Journeys.minimal().rolledOut();
    RagJourneyStatus status = journey.status();
    for (int move = 1; move <= 13; move++) {
      var at = Journeys.NOW.plusSeconds(600L * move);
      journey.lastStatus(status).at(at).round(new Round(at, move, move(600 + move), Rungs.NONE));
      status = journey.status();
      journey.applied();
    }

    assertThat(status.rebalance().lastMove()).isEqualTo("2030-01-02T05:14:05Z");
    assertThat(status.rebalance().history()).hasSize(10);
    assertThat(status.rebalance().history().getFirst().time()).isEqualTo("2030-01-02T05:14:05Z");
    assertThat(status.rebalance().history().getLast().time()).isEqualTo("2030-01-02T03:44:05Z");
  }

  private static RagJourneyStatus after(
      RebalanceDecision decision, @Nullable RagJourneyStatus last) {
    Journeys journey =
        Journeys.minimal().rolledOut().round(new Round(Journeys.NOW, 1, decision, Rungs.NONE));
    if (last != null) {
      journey.lastStatus(last).at(Journeys.NOW.plusSeconds(300));
    }
    return journey.status();
  }

  @Test
  void forecasts_show_the_ceiling_the_costliest_stage_and_what_the_other_rule_would_gain() {
    RagJourneyStatus status = shown(hold(Reasons.IN_BALANCE, foreseen(0.892, 0.948)));

    assertThat(status.journey().attainableRatio()).isEqualTo("96%");
    assertThat(status.journey().costliestStage()).isEqualTo("generate");
    assertThat(status.journey().remedy()).isEqualTo("generate 1.3 × faster: +3.1 points");
    assertThat(status.rebalance().recommendation().rule()).isEqualTo("MaxQuality");
    assertThat(status.rebalance().recommendation().fullRatio()).isEqualTo("94.8%");
    assertThat(status.rebalance().recommendation().message())
        .isEqualTo(
            "the next step of rule MaxQuality would give 94.8 % full and 0.9 % missed answers, "
                + "the caps in force give 89.2 % and 0.9 %");
    assertThat(status.rebalance().recommendation().changes())
        .extracting(CapChangeStatus::stage, CapChangeStatus::to, CapChangeStatus::knob)
        .containsExactly(tuple("search", "720ms", null), tuple("generate", "550ms", "HoldBack"));
  }

  @Test
  void another_rule_that_would_gain_next_to_nothing_is_not_shown() {
    RagJourneyStatus status = shown(hold(Reasons.IN_BALANCE, foreseen(0.945, 0.948)));

    assertThat(status.rebalance().recommendation()).isNull();
  }

  private static RagJourneyStatus shown(RebalanceDecision decision) {
    return Journeys.minimal()
        .applied()
        .round(new Round(Journeys.NOW, 1, decision, Rungs.NONE))
        .status();
  }

  private static RoundFigures foreseen(double now, double quality) {
    RoundFigures figures = measured(0.05, 0.001);
    Forecast inForce = new Forecast(now, 0.009);
    return new RoundFigures(
        figures.metricsReason(),
        figures.metricsMessage(),
        figures.stages(),
        figures.journey(),
        new Forecasts(
            inForce,
            0.96,
            "generate",
            "generate 1.3 × faster: +3.1 points",
            List.of(
                new Forecasts.OfRule(RebalancePolicy.Rule.P95_HEADROOM, inForce, List.of()),
                new Forecasts.OfRule(
                    RebalancePolicy.Rule.MAX_QUALITY,
                    new Forecast(quality, 0.009),
                    List.of(
                        change(720),
                        new CapChange(
                            "generate",
                            CapChange.Moved.HOLD_BACK,
                            Duration.ofMillis(500),
                            Duration.ofMillis(550),
                            "left to what comes after"))))));
  }

  private static RebalanceDecision hold(String reason, RoundFigures figures) {
    return new RebalanceDecision.Hold(reason, "caps stay", figures);
  }

  private static RebalanceDecision recommend(int toMillis) {
    return new RebalanceDecision.Recommend(
        Reasons.RECOMMENDING,
        "search 600 ms → " + toMillis + " ms",
        List.of(change(toMillis)),
        measured(0.05, 0.001));
  }

  private static RebalanceDecision move(int toMillis) {
    return new RebalanceDecision.Move(
        Reasons.REBALANCED, "search moves", List.of(change(toMillis)), measured(0.05, 0.001));
  }

  private static CapChange change(int toMillis) {
    return new CapChange(
        "search", Duration.ofMillis(600), Duration.ofMillis(toMillis), "p95 + 20 %");
  }

  private static RoundFigures nothing(String reason) {
    return new RoundFigures(reason, "nothing to judge", List.of(), JourneyFigures.NONE);
  }

  private static RoundFigures measured(double degraded, double missed) {
    return new RoundFigures(
        RoundFigures.MEASURED,
        "1200 answers were judged",
        List.of(
            stage("embed", 40, null, null),
            stage("search", 480, null, null),
            stage("rerank", 350, 0.1, null),
            stage("generate", 700, null, null)),
        new JourneyFigures(
            1200,
            Duration.ofMillis(1210),
            1 - missed,
            degraded,
            missed,
            "full",
            Duration.ofMillis(1900)));
  }

  private static RoundFigures remaining(int millis, long answers) {
    RoundFigures figures = measured(0.05, 0.001);
    JourneyFigures journey = figures.journey();
    return new RoundFigures(
        figures.metricsReason(),
        figures.metricsMessage(),
        Stream.of(
                stage("embed", 40, 0.0, null),
                stage("search", 480, 0.0, null),
                stage("rerank", 350, 0.1, null),
                stage("generate", 700, 0.0, null))
            .toList(),
        new JourneyFigures(
            answers,
            journey.p95(),
            journey.withinBudgetRatio(),
            journey.degradedRatio(),
            journey.missRatio(),
            journey.usualLevel(),
            Duration.ofMillis(millis)));
  }

  private static RoundFigures skipped(double ratio, @Nullable String limitedBy) {
    return new RoundFigures(
        RoundFigures.MEASURED,
        "",
        List.of(stage("rerank", 350, ratio, limitedBy)),
        measured(0.05, 0).journey());
  }

  private static StageFigures stage(
      String name, int p95, @Nullable Double skipped, @Nullable String limitedBy) {
    return new StageFigures(
        name,
        1204,
        Duration.ofMillis(p95 / 2),
        Duration.ofMillis(p95),
        null,
        null,
        0.01,
        skipped,
        limitedBy);
  }
}
