package dev.ragjourney.operator.desired;

import static dev.ragjourney.operator.desired.MovedCaps.DECLARED;
import static dev.ragjourney.operator.desired.MovedCaps.MOVED;
import static dev.ragjourney.operator.desired.MovedCaps.cap;
import static dev.ragjourney.operator.desired.MovedCaps.move;
import static dev.ragjourney.operator.desired.MovedCaps.planMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.PastMoves.Made;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.Rungs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is kept of moves beside the plan, and which caps hold in which mode. */
class RememberedMovesTest {

  @Test
  void everything_the_guards_remember_is_beside_the_plan_and_comes_back_whole() {
    Journeys journey = Journeys.minimal().applied();
    CapChange change =
        new CapChange("search", CapChange.Moved.CAP, DECLARED, MOVED, "p95 600 ms + 20 %", 1204L);
    PastMoves.Expected expected = new PastMoves.Expected(-0.0123, 0.002);
    Round first = round(1, Journeys.NOW, Reasons.REBALANCED, change, expected);
    journey.round(first).applied();
    CapChange back = new CapChange("search", MOVED, DECLARED, "the last move is taken back");
    Instant later = Journeys.NOW.plusSeconds(600);
    journey.round(round(2, later, Reasons.ROLLED_BACK, back, null)).at(later);
    Desired.Objects after = journey.objects();
    LivePlan written = PlanObjects.read(planMap(after));

    PastMoves remembered = LastMove.remembered(written.lastMove(), written.changed());
    assertThat(remembered.last().takenBack()).isTrue();
    assertThat(remembered.last().changes()).containsExactly(back);
    assertThat(remembered.recent()).containsExactly(later, Journeys.NOW);
    assertThat(remembered.cooldown()).isEqualTo(Duration.ofMinutes(20));
    LivePlan before = journey.seen().newestPlan().orElseThrow();
    Made made = LastMove.remembered(before.lastMove(), before.changed()).last();
    assertThat(made.expected()).isEqualTo(expected);
    assertThat(made.changes()).containsExactly(change);
    assertThat(made.takenBack()).isFalse();
  }

  @Test
  void of_a_record_that_is_unreadable_in_part_only_that_part_is_forgotten() {
    LastMove odd =
        new LastMove(
            "2030-01-02T03:04:05Z",
            "Rebalanced",
            List.of(new CapChangeStatus("search", "600ms", "much", "", null, null)),
            null,
            null,
            List.of("2030-01-02T03:04:05Z", "yesterday"),
            "long",
            null,
            0.1,
            null);

    PastMoves remembered = LastMove.remembered(odd, Map.of());
    assertThat(remembered.lastAt()).isEqualTo(Journeys.NOW);
    assertThat(remembered.last().changes()).isEmpty();
    assertThat(remembered.last().expected()).isNull();
    assertThat(remembered.recent()).containsExactly(Journeys.NOW);
    assertThat(remembered.cooldown()).isNull();
    assertThat(LastMove.remembered(null, Map.of())).isEqualTo(PastMoves.NONE);
  }

  @Test
  void when_a_stages_spec_changed_is_remembered_with_the_plan() {
    Journeys journey = Journeys.minimal().spec(CHANGED.formatted("600ms", "3s", "a")).applied();
    Instant made = Journeys.NOW;
    assertThat(journey.objects().changed())
        .as("of a new journey all is new")
        .isEqualTo(Map.of("search", made, "generate", made));

    Instant edited = made.plusSeconds(3600);
    journey.spec(CHANGED.formatted("600ms", "3s", "b")).generation(2).at(edited);
    assertThat(journey.objects().changed())
        .as("another backend at the same cap")
        .isEqualTo(Map.of("search", made, "generate", edited));

    journey.applied().at(edited.plusSeconds(60));
    assertThat(journey.objects().changed())
        .as("told by the plan alone")
        .isEqualTo(Map.of("search", made, "generate", edited));

    Instant again = edited.plusSeconds(3600);
    journey.spec(CHANGED.formatted("600ms", "4s", "b")).generation(3).at(again);
    assertThat(journey.objects().changed())
        .as("another total")
        .isEqualTo(Map.of("search", again, "generate", again));
  }

  @Test
  void outside_mode_auto_the_declared_caps_hold_and_a_round_is_made_from_them() {
    Journeys journey = Journeys.minimal().applied().round(move(1)).applied();
    assertThat(cap(journey.objects().plan())).isEqualTo(MOVED);

    for (String mode : List.of("Recommend", "Disabled")) {
      journey.spec(Journeys.MINIMAL + "rebalance: {mode: " + mode + "}\n").generation(2);
      assertThat(cap(journey.objects().plan())).as(mode).isEqualTo(DECLARED);
      assertThat(journey.objects().moved()).as(mode).isFalse();
    }
    journey.applied().spec(Journeys.MINIMAL).generation(3);
    assertThat(cap(journey.objects().plan())).as("Auto again").isEqualTo(DECLARED);
    assertThat(journey.objects().lastMove().changes().getFirst().to())
        .as("still known, for the cooldown")
        .isEqualTo("720ms");
  }

  @Test
  void a_paused_journey_keeps_its_moved_caps() {
    Journeys journey = Journeys.minimal().applied().round(move(1)).applied().paused(true);

    assertThat(journey.seen().journey().paused()).isTrue();
    assertThat(cap(journey.objects().plan())).isEqualTo(MOVED);
  }

  private static final String CHANGED =
      """
      budget: {total: %2$s}
      stages:
      - {name: search, type: Search, cap: %1$s, backend: docs}
      - {name: generate, type: Generate, floor: 1s, backend: llm}
      documents: {configMap: {name: d}}
      backends:
      - {name: docs, embedded: {}}
      - {name: llm, openai: {url: "http://%3$s/v1", model: m}}
      """;

  private static Round round(
      long basis,
      Instant at,
      String reason,
      CapChange change,
      PastMoves.@Nullable Expected expected) {
    return new Round(
        at,
        basis,
        new RebalanceDecision.Move(
            reason,
            "moved",
            List.of(change),
            new RoundFigures(
                RoundFigures.MEASURED, "", List.of(), RoundFigures.JourneyFigures.NONE),
            expected),
        Rungs.NONE);
  }
}
