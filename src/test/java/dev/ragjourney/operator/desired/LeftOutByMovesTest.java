package dev.ragjourney.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.LadderChange;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.Rungs;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What journeys leave out, from the round that decides it to the plan that keeps it. */
class LeftOutByMovesTest {
  private static final LadderChange SKIP =
      new LadderChange("rerank", LadderChange.RUNS, LadderChange.LEFT_OUT, "missed 40 % → 2 %");
  private static final LadderChange FROM_FAST =
      new LadderChange(null, "full", "fast", "missed 40 % → 2 %");
  private static final LeftOut RERANK = LeftOut.NOTHING.with("rerank");

  private static final String SPEC =
      """
      budget: {total: %1$s}
      stages:
      - {name: rewrite, type: Rewrite, optional: true, cap: 300ms, backend: llm}
      - {name: search, type: Search, cap: %2$s, backend: docs}
      - %3$s
      - {name: generate, type: Generate, floor: 1s, backend: llm}
      fallbackLevels:
      - {name: full, minRemaining: 2s}
      - {name: fast, minRemaining: %4$s, skip: [rewrite]}
      - {name: sorry, answer: Static, message: "Try again."}
      documents: {configMap: {name: d}}
      backends:
      - {name: docs, embedded: {}}
      - {name: llm, openai: {url: "http://a/v1", model: m}}
      rebalance: {mode: %5$s, rule: %6$s}
      """;
  private static final String RANK =
      "{name: rerank, type: Rerank, optional: true, cap: 300ms, backend: docs}";

  private static String spec(Object... of) {
    return SPEC.formatted(of);
  }

  private static final String USUAL = spec("3s", "600ms", RANK, "1s500ms", "Auto", "MaxQuality");

  private static Journeys leaving(LadderChange change) {
    return Journeys.minimal().spec(USUAL).applied().round(round(1, change)).applied().round(null);
  }

  private static LeftOut left(Journeys journey) {
    return journey.objects().plan().budget().leaves();
  }

  @Test
  void a_round_leaves_a_stage_out_on_the_very_plan_that_it_saw() {
    Journeys journey = Journeys.minimal().spec(USUAL).applied();
    assertThat(left(journey.round(round(7, SKIP)))).isEqualTo(LeftOut.NOTHING);
    assertThat(journey.objects().moved()).isFalse();

    assertThat(left(journey.round(round(1, SKIP)))).isEqualTo(RERANK);
    assertThat(journey.objects().moved()).isTrue();
    assertThat(journey.objects().plan().revision()).isEqualTo(2);
    assertThat(journey.objects().plan().budget().stages())
        .as("no cap moves with it")
        .isEqualTo(journey.round(null).objects().plan().budget().stages());
  }

  @Test
  void another_process_leaves_it_out_too_and_knows_of_the_move() {
    Journeys journey = leaving(SKIP);
    LivePlan written = PlanObjects.read(MovedCaps.planMap(journey.objects()));

    assertThat(written.plan().budget().leaves()).isEqualTo(RERANK);
    PastMoves remembered = LastMove.remembered(written.lastMove(), written.changed());
    assertThat(remembered.last().ladder()).isEqualTo(SKIP);
    assertThat(remembered.last().expected()).isEqualTo(new PastMoves.Expected(0.4, 0.01));
    assertThat(journey.objects().plan().revision()).as("nothing is written anew").isEqualTo(2);
    assertThat(left(journey.paused(true))).as("kept while paused").isEqualTo(RERANK);
  }

  @Test
  void what_comes_back_runs_again() {
    Journeys journey = leaving(SKIP);
    LadderChange back =
        new LadderChange("rerank", LadderChange.LEFT_OUT, LadderChange.RUNS, "it works");

    assertThat(left(journey.round(round(2, back)))).isEqualTo(LeftOut.NOTHING);
    assertThat(left(leaving(FROM_FAST).round(round(2, new LadderChange(null, "fast", "full", "")))))
        .isEqualTo(LeftOut.NOTHING);
  }

  static Stream<Arguments> edits() {
    String pinned = RANK.replace("cap: 300ms", "cap: 300ms, capRange: {min: 300ms, max: 300ms}");
    String required = RANK.replace("optional: true, ", "");
    return Stream.of(
        edit("nothing", USUAL, true, true),
        edit(
            "Recommend",
            spec("3s", "600ms", RANK, "1s500ms", "Recommend", "MaxQuality"),
            false,
            false),
        edit(
            "Disabled",
            spec("3s", "600ms", RANK, "1s500ms", "Disabled", "MaxQuality"),
            false,
            false),
        edit(
            "the plain rule",
            spec("3s", "600ms", RANK, "1s500ms", "Auto", "P95Headroom"),
            false,
            false),
        edit(
            "another total",
            spec("4s", "600ms", RANK, "1s500ms", "Auto", "MaxQuality"),
            false,
            false),
        edit(
            "another stage",
            spec("3s", "700ms", RANK, "1s500ms", "Auto", "MaxQuality"),
            true,
            false),
        edit(
            "another level",
            spec("3s", "600ms", RANK, "1s600ms", "Auto", "MaxQuality"),
            true,
            false),
        edit(
            "its cap",
            spec("3s", "600ms", RANK.replace("300ms", "310ms"), "1s500ms", "Auto", "MaxQuality"),
            false,
            false),
        edit(
            "its backend",
            spec("3s", "600ms", RANK.replace("docs", "llm2"), "1s500ms", "Auto", "MaxQuality")
                .replace("backends:", "backends:\n- {name: llm2, http: {url: \"http://b/\"}}"),
            false,
            false),
        edit(
            "a pinned cap",
            spec("3s", "600ms", pinned, "1s500ms", "Auto", "MaxQuality"),
            false,
            true),
        edit(
            "required now",
            spec("3s", "600ms", required, "1s500ms", "Auto", "MaxQuality"),
            false,
            false));
  }

  private static Arguments edit(String what, String spec, boolean stage, boolean level) {
    return Arguments.of(what, spec, stage, level);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("edits")
  void an_edit_drops_what_was_judged_on_something_else(
      String what, String spec, boolean stageStays, boolean levelStays) {
    assertThat(left(leaving(SKIP).spec(spec).generation(2)))
        .isEqualTo(stageStays ? RERANK : LeftOut.NOTHING);
    assertThat(left(leaving(FROM_FAST).spec(spec).generation(2)))
        .isEqualTo(levelStays ? LeftOut.NOTHING.from("fast") : LeftOut.NOTHING);
  }

  @Test
  void status_and_events_tell_it_and_the_spec_stays_as_it_was_written() {
    Journeys journey = Journeys.minimal().spec(USUAL).rolledOut();
    journey.round(round(1, SKIP));
    RagJourneyStatus told = journey.status();

    assertThat(told.effective().leftOut().stages()).containsExactly("rerank");
    assertThat(told.effective().leftOut().trialRatio()).isEqualTo("5%");
    assertThat(told.rebalance().history().getFirst().ladder().to()).isEqualTo("LeftOut");
    assertThat(told.rebalance().history().getFirst().ladder().why()).isEqualTo(SKIP.why());

    journey.applied().lastStatus(told).round(null);
    assertThat(journey.status().effective()).isEqualTo(told.effective());
    assertThat(leaving(FROM_FAST).status().effective().leftOut().startLevel()).isEqualTo("fast");
    assertThat(leaving(FROM_FAST).status().rebalance().history().getFirst().ladder().from())
        .isEqualTo("full");
  }

  private static Round round(long basis, LadderChange change) {
    return new Round(
        Journeys.NOW,
        basis,
        new RebalanceDecision.Move(
            Reasons.REBALANCED,
            change.text(),
            List.of(),
            change,
            new RoundFigures(
                RoundFigures.MEASURED, "", List.of(), RoundFigures.JourneyFigures.NONE),
            new PastMoves.Expected(0.4, 0.01)),
        Rungs.NONE);
  }
}
