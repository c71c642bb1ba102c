package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.Decisions.after;
import static dev.ragjourney.operator.status.Decisions.foreseen;
import static dev.ragjourney.operator.status.Decisions.hold;
import static dev.ragjourney.operator.status.Decisions.measured;
import static dev.ragjourney.operator.status.Decisions.move;
import static dev.ragjourney.operator.status.Decisions.nothing;
import static dev.ragjourney.operator.status.Decisions.recommend;
import static dev.ragjourney.operator.status.Decisions.searching;
import static dev.ragjourney.operator.status.Decisions.shown;
import static dev.ragjourney.operator.status.StatusFolderTest.condition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.Rungs;
import java.util.Map;
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

  @Test
  void after_a_restart_the_first_round_writes_nothing_anew() {
    RebalanceDecision decision = hold(Reasons.IN_BALANCE, measured(0.05, 0.001));
    Journeys journey =
        Journeys.minimal()
            .rolledOut()
            .generation(2)
            .round(new Round(Journeys.NOW, 1, decision, Rungs.NONE));
    RagJourneyStatus told = journey.status();

    journey.lastStatus(told).at(Journeys.NOW.plusSeconds(60));
    assertThat(journey.round(null).status()).as("before the first round").isEqualTo(told);
    assertThat(journey.round(new Round(Journeys.NOW, 1, decision, Rungs.NONE)).status())
        .isEqualTo(told);
  }

  @Test
  void a_spec_that_changes_before_the_first_round_has_its_answers_judged_by_that_round() {
    RebalanceDecision decision = hold(Reasons.IN_BALANCE, measured(0.05, 0.001));
    Round round = new Round(Journeys.NOW, 1, decision, Rungs.NONE);
    Journeys journey = Journeys.minimal().rolledOut().round(round);

    RagJourneyStatus changed =
        journey.lastStatus(journey.status()).generation(2).round(null).status();
    RagJourneyStatus judged = journey.lastStatus(changed).round(round).status();

    assertThat(changed.observedGeneration()).isEqualTo(2);
    assertThat(condition(changed, "Ready").observedGeneration()).isEqualTo(2);
    assertThat(condition(changed, "WithinBudget").observedGeneration())
        .as("nothing is told of the new spec's answers")
        .isEqualTo(1);
    assertThat(condition(judged, "WithinBudget").observedGeneration()).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}: {2} is {3}")
  @MethodSource("decisions")
  void each_decision_has_its_conditions(
      String seen, RebalanceDecision decision, String type, String expected) {
    Condition condition = condition(after(decision, null), type);

    assertThat(condition.status() + "/" + condition.reason()).isEqualTo(expected);
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
  void the_headroom_of_a_tight_cap_stays_as_long_as_its_p95_does() {
    RagJourneyStatus first = after(hold(Reasons.IN_BALANCE, searching(560)), null);

    assertThat(first.stages().get(1).headroom()).as("cap 600 ms").isEqualTo("40ms");
    assertThat(after(hold(Reasons.IN_BALANCE, searching(545)), first)).isEqualTo(first);
    assertThat(after(hold(Reasons.IN_BALANCE, searching(480)), first).stages().get(1).headroom())
        .isEqualTo("120ms");
  }

  @ParameterizedTest(
      name = "{0} of the answers are full, search costs {1} of the rest: {2}, before {3}")
  @CsvSource(
      nullValues = "none",
      textBlock =
          """
          0.93,  0.6,  search,   none
          0.93,  0.6,  search,   search
          0.93,  0.45, search,   search
          0.93,  0.42, generate, search
          0.93,  0.55, generate, generate
          0.93,  0.57, search,   generate
          0.992, 0.6,  none,     none
          0.992, 0.6,  search,   search
          0.996, 0.6,  none,     search
          """)
  void the_costliest_stage_is_named_where_much_is_lost_and_of_two_alike_the_one_that_was(
      double full, double ofSearch, @Nullable String expected, @Nullable String before) {
    RagJourneyStatus last =
        before == null ? null : after(lost(0.9, before.equals("search") ? 0.7 : 0.3), null);

    RagJourneyStatus status = after(lost(full, ofSearch), last);

    assertThat(status.journey().costliestStage()).isEqualTo(expected);
    assertThat(status.journey().remedy())
        .isEqualTo(expected == null ? null : expected + " 1.3 × faster: +3.1 points");
  }

  private static RebalanceDecision lost(double full, double ofSearch) {
    Map<String, Double> costs = Map.of("search", ofSearch, "generate", 1 - ofSearch);
    return hold(Reasons.IN_BALANCE, foreseen(full, full, 0.001, costs));
  }

  @Test
  void few_missed_answers_more_or_less_make_no_other_recommendation() {
    RagJourneyStatus first = after(hold(Reasons.IN_BALANCE, foreseen(0.892, 0.948)), null);

    assertThat(after(hold(Reasons.IN_BALANCE, foreseen(0.892, 0.948, 0.012)), first))
        .isEqualTo(first);
    assertThat(after(hold(Reasons.IN_BALANCE, foreseen(0.892, 0.948, 0.03)), first))
        .isNotEqualTo(first);
  }

  @Test
  void what_a_restart_has_not_measured_yet_stays_as_it_was_told() {
    RagJourneyStatus told = after(hold(Reasons.IN_BALANCE, measured(0.2, 0.001)), null);

    RagJourneyStatus restarted = Journeys.minimal().rolledOut().lastStatus(told).status();

    assertThat(restarted).isEqualTo(told);
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
}
