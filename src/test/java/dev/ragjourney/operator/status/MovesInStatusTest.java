package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.Decisions.after;
import static dev.ragjourney.operator.status.Decisions.change;
import static dev.ragjourney.operator.status.Decisions.hold;
import static dev.ragjourney.operator.status.Decisions.measured;
import static dev.ragjourney.operator.status.Decisions.move;
import static dev.ragjourney.operator.status.Decisions.recommend;
import static dev.ragjourney.operator.status.StatusFolderTest.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceMove;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.Rungs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves, rollbacks and pauses as status tells them. */
class MovesInStatusTest {
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

  @ParameterizedTest
  @ValueSource(strings = {Reasons.COOLING_DOWN, Reasons.JUDGING_LAST_MOVE, Reasons.TOO_FEW_SAMPLES})
  void a_rollback_stays_told_while_the_next_move_waits(String waiting) {
    assertThat(rebalanced(Reasons.ROLLED_BACK, waiting).reason()).isEqualTo("RolledBack");
    assertThat(rebalanced(Reasons.REBALANCED, waiting).reason())
        .as("after a move that was no rollback")
        .isEqualTo("Holding");
  }

  @ParameterizedTest
  @ValueSource(strings = {Reasons.QUERY_FAILED, Reasons.ERRORS_DOMINATE, Reasons.STALE})
  void a_rollback_is_not_told_where_caps_stay_for_another_reason(String reason) {
    assertThat(rebalanced(Reasons.ROLLED_BACK, reason).reason()).isEqualTo("Holding");
  }

  /** The condition in a round that holds, after one that moved. */
  private static Condition rebalanced(String moved, String held) {
    Journeys journey = Journeys.minimal().rolledOut();
    RebalanceDecision.Move move =
        new RebalanceDecision.Move(moved, "told", List.of(change(720)), measured(0.05, 0.001));
    journey.round(new Round(Journeys.NOW, 1, move, Rungs.NONE));
    journey.applied().lastStatus(journey.status()).at(Journeys.NOW.plusSeconds(300));
    RebalanceDecision hold = hold(held, measured(0.05, 0.001));
    journey.round(new Round(Journeys.NOW.plusSeconds(300), 2, hold, Rungs.NONE));
    return condition(journey.status(), "Rebalanced");
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
}
