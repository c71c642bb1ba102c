package dev.ragjourney.operator.status;

import static dev.ragjourney.operator.status.StatusFolderTest.condition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.LadderChange;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.RoundFigures.StageFigures;
import dev.ragjourney.rebalance.Rungs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What journeys leave out, as conditions and events tell it. */
class LeftOutInStatusTest {
  private static final LadderChange SKIP =
      new LadderChange("rerank", LadderChange.RUNS, LadderChange.LEFT_OUT, "missed 40 % → 2 %");

  @Test
  void a_stage_that_is_left_out_is_starved_for_that_reason() {
    Journeys journey = journey(SKIP);
    Condition starved = starved(journey, "rerank");

    assertThat(starved.status()).isEqualTo("True");
    assertThat(starved.reason()).isEqualTo("LeftOut");
    assertThat(starved.message())
        .isEqualTo(
            "rerank is left out, as trying it costs more answers than it makes better; 5% of the"
                + " journeys try it, and it comes back when that serves better. Scale its backend,"
                + " or remove it");
    assertThat(starved(journey, "embed").reason())
        .as("another one is not")
        .isEqualTo("NearlyAlwaysSkipped");
  }

  @Test
  void a_stage_below_the_level_that_journeys_begin_at_is_too() {
    Journeys journey = journey(new LadderChange(null, "full", "fast", ""));

    assertThat(starved(journey, "rerank").reason()).isEqualTo("LeftOut");
    assertThat(starved(journey, "rerank").message())
        .startsWith("journeys begin at level fast, without rerank, as trying it costs");
    assertThat(starved(journey, "embed").reason()).isEqualTo("NearlyAlwaysSkipped");
  }

  @Test
  void the_event_names_what_goes_and_what_comes_back() {
    LadderChange back = new LadderChange("rerank", LadderChange.LEFT_OUT, LadderChange.RUNS, "");

    assertThat(event(SKIP, Reasons.REBALANCED))
        .isEqualTo(new JourneyEvent(false, "StageLeftOut", "rerank is left out"));
    assertThat(event(back, Reasons.REBALANCED))
        .isEqualTo(new JourneyEvent(false, "StageRunsAgain", "rerank runs again"));
    assertThat(event(new LadderChange(null, "full", "fast", ""), Reasons.REBALANCED))
        .isEqualTo(
            new JourneyEvent(
                false, "StartLevelMoved", "journeys begin at level fast and not at full"));
    assertThat(event(back, Reasons.ROLLED_BACK))
        .isEqualTo(new JourneyEvent(true, "CapsRolledBack", "rerank runs again"));
  }

  private static JourneyEvent event(LadderChange change, String reason) {
    Journeys journey = spec().rolledOut();
    RagJourneyStatus before = journey.status();
    RagJourneyStatus after = journey.lastStatus(before).round(round(1, change, reason)).status();
    return EventFold.events(before, after).stream()
        .filter(event -> !event.reason().equals("Measured"))
        .filter(event -> event.note().contains(change.text()))
        .findFirst()
        .orElseThrow();
  }

  private static Journeys spec() {
    return Journeys.minimal().spec(Journeys.MINIMAL + "rebalance: {rule: MaxQuality}\n");
  }

  private static Journeys journey(LadderChange change) {
    return spec().rolledOut().round(round(1, change, Reasons.REBALANCED)).applied();
  }

  private static Condition starved(Journeys journey, String stage) {
    RoundFigures figures =
        new RoundFigures(
            RoundFigures.MEASURED,
            "",
            List.of(new StageFigures(stage, 100, null, null, null, null, 0.0, 0.95, null)),
            new RoundFigures.JourneyFigures(2_000, null, 0.98, 0.95, 0.02, null, null));
    Round round =
        new Round(
            Journeys.NOW,
            2,
            new RebalanceDecision.Hold(Reasons.IN_BALANCE, "", figures),
            Rungs.NONE);
    return condition(journey.round(round).status(), "StageStarved");
  }

  private static Round round(long basis, LadderChange change, String reason) {
    return new Round(
        Journeys.NOW,
        basis,
        new RebalanceDecision.Move(
            reason,
            change.text(),
            List.of(),
            change,
            new RoundFigures(
                RoundFigures.MEASURED, "", List.of(), RoundFigures.JourneyFigures.NONE),
            null),
        Rungs.NONE);
  }
}
