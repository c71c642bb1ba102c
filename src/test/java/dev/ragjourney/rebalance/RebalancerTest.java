package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.budget;
import static dev.ragjourney.rebalance.Journeys.calls;
import static dev.ragjourney.rebalance.Journeys.histogram;
import static dev.ragjourney.rebalance.Journeys.input;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.reading;
import static dev.ragjourney.rebalance.Journeys.required;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.Journeys.with;
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.RERANK_CAP;
import static dev.ragjourney.rebalance.SoundJourney.SEARCH_CAP;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static dev.ragjourney.rebalance.SoundJourney.decide;
import static dev.ragjourney.rebalance.SoundJourney.decideAfterMove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RebalancerTest {
  @Test
  void time_goes_from_the_stage_with_headroom_to_the_stage_that_is_cut() {
    RebalanceDecision decision = decide(reading(slice(SOUND)));

    assertThat(decision).isInstanceOf(RebalanceDecision.Move.class);
    RebalanceDecision.Move move = (RebalanceDecision.Move) decision;
    assertThat(move.reason()).isEqualTo(Reasons.REBALANCED);
    assertThat(move.changes())
        .extracting(CapChange::stage, CapChange::from, CapChange::to)
        .containsExactly(tuple("search", ms(600), ms(480)), tuple("rerank", ms(300), ms(360)));
    assertThat(move.changes().get(0).why())
        .startsWith("p95 21")
        .endsWith("; ends at maxStep.down 20 %");
    assertThat(move.changes().get(1).why()).isEqualTo("10.0 % of the calls were cut at the cap");
    assertThat(move.message())
        .isEqualTo(
            "search 600 ms → 480 ms, rerank 300 ms → 360 ms; given by search 120 ms to rerank 60 ms,"
                + " generate 60 ms; generate is left with 2110 ms");
  }

  @Test
  void figures_say_what_was_seen() {
    RoundFigures figures = decide(reading(slice(SOUND))).figures();

    assertThat(figures.measured()).isTrue();
    RoundFigures.StageFigures search = figures.stages().get(0);
    assertThat(search.samples()).isEqualTo(1000);
    assertThat(search.p50()).isBetween(ms(117), ms(123));
    assertThat(search.p95()).isBetween(ms(208), ms(224));
    assertThat(search.p95AtLeast()).isNull();
    assertThat(search.timeoutRatio()).isZero();
    RoundFigures.StageFigures rerank = figures.stages().get(1);
    assertThat(rerank.p95()).isNull();
    assertThat(rerank.p95AtLeast()).isEqualTo(ms(300));
    assertThat(rerank.need()).isEqualTo(ms(360));
    assertThat(rerank.timeoutRatio()).isCloseTo(0.1, within(1e-9));
    assertThat(rerank.skippedRatio()).isCloseTo(0.1, within(1e-9));
    assertThat(figures.stages().get(2).need()).isNull();
    RoundFigures.JourneyFigures journey = figures.journey();
    assertThat(journey.answers()).isEqualTo(100);
    assertThat(journey.withinBudgetRatio()).isCloseTo(0.98, within(1e-9));
    assertThat(journey.degradedRatio()).isCloseTo(0.08, within(1e-9));
    assertThat(journey.missRatio()).isCloseTo(0.02, within(1e-9));
    assertThat(journey.usualLevel()).isEqualTo("full");
    assertThat(journey.p95()).isBetween(ms(1300), ms(1800));
  }

  @Test
  void cuts_at_the_journeys_time_never_raise_a_cap_and_name_the_earlier_stage() {
    double[] cuts = new double[300];
    Arrays.fill(cuts, 0.15);
    StageWindow limited =
        new StageWindow(
            1000,
            histogram(lognormal(700, 0.28, 0.02)),
            LatencyHistogram.EMPTY,
            histogram(cuts),
            LatencyHistogram.EMPTY,
            0,
            Map.of(),
            new StageWindow.CapSpan(RERANK_CAP, RERANK_CAP));
    RebalanceDecision decision = decide(reading(slice(with(SOUND, "rerank", limited))));

    RoundFigures.StageFigures rerank = decision.figures().stages().get(1);
    assertThat(rerank.limitedBy()).isEqualTo("search");
    assertThat(rerank.timeoutRatio()).isCloseTo(0.3, within(1e-9));
    assertThat(rerank.p95()).as("as if nothing had been cut").isBetween(ms(280), ms(300));
  }

  @Test
  void a_p95_hidden_by_cuts_at_the_journeys_time_leaves_the_cap_alone() {
    double[] cuts = new double[990];
    Arrays.fill(cuts, 0.15);
    StageWindow hidden =
        new StageWindow(
            1000,
            histogram(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.25, 0.25),
            LatencyHistogram.EMPTY,
            histogram(cuts),
            LatencyHistogram.EMPTY,
            0,
            Map.of(),
            new StageWindow.CapSpan(RERANK_CAP, RERANK_CAP));
    RebalanceDecision decision = decide(reading(slice(with(SOUND, "rerank", hidden))));

    assertThat(((RebalanceDecision.Move) decision).changes())
        .extracting(CapChange::stage)
        .containsExactly("search");
    assertThat(decision.figures().stages().get(1).p95AtLeast()).isNotNull();
  }

  @Test
  void five_percent_of_cuts_at_the_cap_make_the_p95_unknown_and_less_do_not() {
    RoundFigures.StageFigures five = rerankWith(calls(RERANK_CAP, 50, lognormal(950, 0.2, 0.2)));
    RoundFigures.StageFigures less = rerankWith(calls(RERANK_CAP, 49, lognormal(951, 0.2, 0.2)));

    assertThat(five.p95()).isNull();
    assertThat(five.need()).isEqualTo(ms(360));
    assertThat(less.p95()).isNotNull();
  }

  @Test
  void changes_smaller_than_the_dead_band_are_not_worth_a_move() {
    // p95 × 1.2 = 288 ms: 4 % below the cap.
    Map<String, StageWindow> near =
        Map.of(
            "search", calls(SEARCH_CAP, 0, lognormal(20_000, 0.2486, 0.4)),
            "rerank", calls(RERANK_CAP, 0, lognormal(20_000, 0.1243, 0.4)),
            "generate", calls(ms(1200), 0, lognormal(1000, 0.7, 0.3)));
    RebalanceDecision decision = decide(reading(slice(near)));

    assertThat(decision).isInstanceOf(RebalanceDecision.Hold.class);
    assertThat(decision.reason()).isEqualTo(Reasons.IN_BALANCE);
  }

  @ParameterizedTest
  @EnumSource(
      value = RebalancePolicy.Mode.class,
      names = {"AUTO", "RECOMMEND"})
  void a_change_below_the_dead_band_is_neither_made_nor_shown_however_certain_it_is(
      RebalancePolicy.Mode mode) {
    // 95 % of 100,000 calls end by 400 ms, a bucket's boundary: 480 ms are right beyond doubt.
    double[] sharp = new double[100_000];
    Arrays.fill(sharp, 0, 95_000, 0.39);
    Arrays.fill(sharp, 95_000, sharp.length, 0.45);
    JourneyBudget near = budget(required("search", 495));
    LatencyReading reading =
        reading(
            slice(
                Map.of(
                    "search", calls(ms(495), 0, sharp),
                    "generate", calls(ms(1200), 0, lognormal(1000, 0.7, 0.3)))));

    RebalanceDecision held = Rebalancer.decide(input(near, deadBand(mode, 0.05), reading));
    assertThat(held).isInstanceOf(RebalanceDecision.Hold.class);
    assertThat(held.reason()).isEqualTo(Reasons.IN_BALANCE);
    assertThat(held.message()).startsWith("no change beyond the dead band of 5 %");
    assertThat(Rebalancer.decide(input(near, deadBand(mode, 0.02), reading)).message())
        .startsWith("search 495 ms → 481 ms");
  }

  @Test
  void whether_a_rule_asks_for_nothing_or_for_next_to_nothing_the_same_is_said() {
    RebalancePolicy policy = deadBand(RebalancePolicy.Mode.AUTO, 0.05);
    Set<String> said = new HashSet<>();
    for (int cap : new int[] {479, 480, 481, 485, 490}) {
      double[] sharp = new double[100_000];
      Arrays.fill(sharp, 0, 95_000, 0.39);
      Arrays.fill(sharp, 95_000, sharp.length, 0.45);
      LatencyReading reading =
          reading(
              slice(
                  Map.of(
                      "search", calls(ms(cap), 0, sharp),
                      "generate", calls(ms(1200), 0, lognormal(1000, 0.7, 0.3)))));
      RebalanceDecision held =
          Rebalancer.decide(input(budget(required("search", cap)), policy, reading));
      assertThat(held.reason()).isEqualTo(Reasons.IN_BALANCE);
      said.add(held.message());
    }
    assertThat(said).hasSize(1);
  }

  private static RebalancePolicy deadBand(RebalancePolicy.Mode mode, double deadBand) {
    RebalancePolicy policy = policy(mode, Map.of());
    return Journeys.with(policy, policy.interval(), deadBand, policy.cooldown());
  }

  @Test
  void one_change_beyond_the_dead_band_takes_the_small_ones_along() {
    Map<String, StageWindow> mixed =
        Map.of(
            "search", calls(SEARCH_CAP, 0, lognormal(20_000, 0.1, 0.1)),
            "rerank", calls(RERANK_CAP, 0, lognormal(20_000, 0.1243, 0.4)),
            "generate", calls(ms(1200), 0, lognormal(1000, 0.7, 0.3)));

    assertThat(((RebalanceDecision.Move) decide(reading(slice(mixed)))).changes())
        .extracting(CapChange::stage)
        .containsExactly("search", "rerank");
  }

  @Test
  void a_change_within_the_sampling_error_of_few_calls_is_not_worth_a_move() {
    // p95 × 1.2 of these 100 calls is 13 % below the cap; ± 2.5 standard errors reach beyond it.
    Map<String, StageWindow> few =
        Map.of(
            "search", calls(SEARCH_CAP, 0, lognormal(100, 0.19, 0.5)),
            "rerank", calls(RERANK_CAP, 0, lognormal(100, 0.11, 0.5)),
            "generate", calls(ms(1200), 0, lognormal(100, 0.7, 0.3)));

    assertThat(decide(reading(slice(few))).reason()).isEqualTo(Reasons.IN_BALANCE);
  }

  @Test
  void caps_rest_until_the_cooldown_is_over() {
    LatencyReading reading = reading(slice(SOUND));
    Instant tenMinutesAgo = NOW.minus(Duration.ofMinutes(10));

    assertThat(decideAfterMove(reading, tenMinutesAgo.plusMillis(1)).reason())
        .isEqualTo(Reasons.COOLING_DOWN);
    assertThat(decideAfterMove(reading, tenMinutesAgo)).isInstanceOf(RebalanceDecision.Move.class);
  }

  @Test
  void recommend_shows_the_changes_and_moves_nothing() {
    RebalanceDecision decision =
        Rebalancer.decide(
            input(BUDGET, policy(RebalancePolicy.Mode.RECOMMEND, Map.of()), reading(slice(SOUND))));

    assertThat(decision).isInstanceOf(RebalanceDecision.Recommend.class);
    assertThat(((RebalanceDecision.Recommend) decision).changes()).hasSize(2);
  }

  @Test
  void disabled_still_shows_the_figures() {
    RebalanceDecision decision =
        Rebalancer.decide(
            input(BUDGET, policy(RebalancePolicy.Mode.DISABLED, Map.of()), reading(slice(SOUND))));

    assertThat(decision.reason()).isEqualTo(Reasons.DISABLED);
    assertThat(decision).isInstanceOf(RebalanceDecision.Hold.class);
    assertThat(decision.figures().stages().get(0).p95()).isNotNull();
  }

  @Test
  void a_cap_range_bounds_the_need() {
    RebalancePolicy policy =
        policy(
            RebalancePolicy.Mode.AUTO,
            Map.of(
                "search", new RebalancePolicy.CapRange(ms(550), ms(900)),
                "rerank", new RebalancePolicy.CapRange(ms(100), ms(320))));
    RebalanceDecision decision = Rebalancer.decide(input(BUDGET, policy, reading(slice(SOUND))));

    assertThat(((RebalanceDecision.Move) decision).changes())
        .extracting(CapChange::to)
        .containsExactly(ms(550), ms(320));
    assertThat(decision.figures().stages().subList(0, 2))
        .extracting(RoundFigures.StageFigures::need)
        .containsExactly(ms(550), ms(320));
  }

  private static RoundFigures.StageFigures rerankWith(StageWindow window) {
    return decide(reading(slice(with(SOUND, "rerank", window)))).figures().stages().get(1);
  }
}
