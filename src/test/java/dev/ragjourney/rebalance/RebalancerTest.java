package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.budget;
import static dev.ragjourney.rebalance.Journeys.calls;
import static dev.ragjourney.rebalance.Journeys.histogram;
import static dev.ragjourney.rebalance.Journeys.input;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.Journeys.optional;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.reading;
import static dev.ragjourney.rebalance.Journeys.required;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.Journeys.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RebalancerTest {
  private static final Duration SEARCH_CAP = ms(600);
  private static final Duration RERANK_CAP = ms(300);

  /** search needs 216 ms × 1.2 and has 600; rerank is cut at its 300 ms in 10 % of its calls. */
  private static final JourneyBudget BUDGET =
      budget(required("search", 600), optional("rerank", 300));

  private static final Map<String, StageWindow> SOUND =
      Map.of(
          "search", calls(SEARCH_CAP, 0, lognormal(1000, 0.12, 0.35)),
          "rerank", calls(RERANK_CAP, 100, lognormal(900, 0.2, 0.2)),
          "generate", calls(ms(1200), 0, lognormal(1000, 0.7, 0.3)));

  @Test
  void time_goes_from_the_stage_with_headroom_to_the_stage_that_is_cut() {
    RebalanceDecision decision = decide(reading(slice(SOUND)));

    assertThat(decision).isInstanceOf(RebalanceDecision.Move.class);
    RebalanceDecision.Move move = (RebalanceDecision.Move) decision;
    assertThat(move.reason()).isEqualTo(Reasons.REBALANCED);
    assertThat(move.changes())
        .extracting(CapChange::stage, CapChange::from, CapChange::to)
        .containsExactly(tuple("search", ms(600), ms(480)), tuple("rerank", ms(300), ms(360)));
    assertThat(move.changes().get(0).why()).startsWith("p95 21").endsWith("; one step towards it");
    assertThat(move.changes().get(1).why()).isEqualTo("10.0 % of the calls were cut at the cap");
    assertThat(move.message())
        .isEqualTo("search 600 ms → 480 ms, rerank 300 ms → 360 ms; generate is left with 2110 ms");
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

  record Case(String sentence, LatencyReading reading, String reason) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  static List<Case> unusable() {
    return List.of(
        new Case(
            "Prometheus is away",
            new LatencyReading.Unavailable(Reasons.QUERY_FAILED, "connection refused"),
            Reasons.QUERY_FAILED),
        new Case(
            "no Prometheus is configured",
            new LatencyReading.Unavailable(Reasons.NOT_CONFIGURED, "no URL"),
            Reasons.NOT_CONFIGURED),
        new Case(
            "the journey has no series", new LatencyReading.Measured(Map.of()), Reasons.NO_TRAFFIC),
        new Case("the journey has no slice", reading(), Reasons.NO_TRAFFIC),
        new Case(
            "nobody asked anything",
            reading(
                slice(
                    Map.of(
                        "search", calls(SEARCH_CAP, 0),
                        "rerank", calls(RERANK_CAP, 0),
                        "generate", calls(SEARCH_CAP, 0)))),
            Reasons.NO_TRAFFIC),
        new Case(
            "the newest slice is an interval old",
            reading(slice(NOW.minus(INTERVAL), SOUND)),
            Reasons.STALE),
        new Case(
            "a count is NaN",
            reading(slice(SOUND), defective(Reasons.NOT_FINITE)),
            Reasons.NOT_FINITE),
        new Case(
            "a count went backwards in an older slice",
            reading(defective(Reasons.COUNTER_RESET), slice(SOUND)),
            Reasons.COUNTER_RESET),
        new Case(
            "buckets were summed over different boundaries",
            reading(slice(SOUND), defective(Reasons.LAYOUT_CHANGED)),
            Reasons.LAYOUT_CHANGED),
        new Case(
            "the newest histograms are those of another budget",
            reading(
                slice(
                    stage(
                        "search",
                        window ->
                            completed(
                                window,
                                histogram(LatencyBoundaries.of(Duration.ofSeconds(4)), 0.1))))),
            Reasons.LAYOUT_CHANGED),
        new Case("a stage is missing", reading(slice(without("rerank"))), Reasons.PARTIAL_STAGES),
        new Case(
            "a stage is missing in the newest slice only",
            reading(slice(NOW.minus(INTERVAL), SOUND), slice(without("rerank"))),
            Reasons.PARTIAL_STAGES),
        new Case(
            "a stage neither ran nor was skipped",
            reading(slice(stage("rerank", _ -> calls(RERANK_CAP, 0)))),
            Reasons.PARTIAL_STAGES),
        new Case(
            "a stage has 99 calls",
            reading(slice(stage("rerank", _ -> calls(RERANK_CAP, 0, lognormal(99, 0.2, 0.2))))),
            Reasons.TOO_FEW_SAMPLES),
        new Case(
            "a stage's cap changed within every slice",
            reading(
                slice(
                    stage(
                        "rerank",
                        window -> caps(window, new StageWindow.CapSpan(ms(250), RERANK_CAP))))),
            Reasons.TOO_FEW_SAMPLES),
        new Case(
            "more than a fifth of a stage's calls fail",
            reading(slice(stage("search", window -> errors(window, 251)))),
            Reasons.ERRORS_DOMINATE),
        new Case(
            "a stage fails wholly, so that the next ones never run",
            reading(
                slice(
                    Map.of(
                        "search", errors(calls(SEARCH_CAP, 0), 500),
                        "rerank", calls(RERANK_CAP, 0),
                        "generate", calls(SEARCH_CAP, 0)))),
            Reasons.ERRORS_DOMINATE));
  }

  @ParameterizedTest(name = "caps stay when {0}")
  @MethodSource("unusable")
  void caps_stay_when_the_figures_cannot_be_judged(Case unusable) {
    RebalanceDecision decision = decide(unusable.reading());

    assertThat(decision).isInstanceOf(RebalanceDecision.Hold.class);
    assertThat(decision.reason()).isEqualTo(unusable.reason());
    assertThat(decision.figures().metricsReason()).isEqualTo(unusable.reason());
    assertThat(decision.figures().stages())
        .extracting(RoundFigures.StageFigures::stage)
        .containsExactly("search", "rerank", "generate");
  }

  @Test
  void a_fifth_of_failed_calls_is_not_yet_too_much() {
    LatencyReading reading = reading(slice(stage("search", window -> errors(window, 250))));

    assertThat(decide(reading)).isInstanceOf(RebalanceDecision.Move.class);
  }

  @Test
  void a_hundred_calls_are_enough() {
    LatencyReading reading =
        reading(slice(stage("search", _ -> calls(SEARCH_CAP, 0, lognormal(100, 0.12, 0.35)))));

    assertThat(decide(reading).figures().measured()).isTrue();
  }

  @Test
  void a_stage_that_its_level_skips_is_set_aside_and_the_others_are_judged() {
    StageWindow rare =
        new StageWindow(
            10,
            histogram(lognormal(10, 0.1, 0.2)),
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            0,
            Map.of("level", 990.0),
            new StageWindow.CapSpan(RERANK_CAP, RERANK_CAP));
    RebalanceDecision decision = decide(reading(slice(with(SOUND, "rerank", rare))));

    assertThat(decision).isInstanceOf(RebalanceDecision.Move.class);
    assertThat(((RebalanceDecision.Move) decision).changes())
        .extracting(CapChange::stage)
        .containsExactly("search");
    assertThat(decision.figures().metricsMessage()).contains("set aside: rerank");
    assertThat(decision.figures().stages().get(1).skippedRatio()).isCloseTo(0.99, within(1e-9));
  }

  @Test
  void only_slices_after_a_stages_last_cap_change_count_for_it() {
    StageWindow before = calls(ms(200), 900, lognormal(100, 0.15, 0.2));
    StageWindow after = calls(RERANK_CAP, 2, lognormal(998, 0.12, 0.4));
    RebalanceDecision decision =
        decide(
            reading(
                slice(NOW.minus(INTERVAL), with(SOUND, "rerank", before)),
                slice(with(SOUND, "rerank", after))));

    RoundFigures.StageFigures rerank = decision.figures().stages().get(1);
    assertThat(rerank.samples()).isEqualTo(1000);
    assertThat(rerank.p95()).isBetween(ms(222), ms(242));
  }

  @Test
  void pods_that_report_no_cap_are_judged_by_the_time_of_the_last_move() {
    Map<String, StageWindow> silent = new HashMap<>(SOUND);
    silent.replaceAll((_, window) -> caps(window, null));
    LatencyReading reading = reading(slice(NOW.minus(INTERVAL), silent), slice(NOW, silent));
    RebalanceInput input =
        new RebalanceInput(BUDGET, policy(), reading, ID, NOW.minus(INTERVAL), NOW);

    assertThat(Rebalancer.decide(input).figures().stages().get(0).samples()).isEqualTo(1000);
  }

  @Test
  void slices_of_an_older_budget_do_not_count() {
    StageWindow older =
        completed(
            calls(SEARCH_CAP, 0),
            histogram(LatencyBoundaries.of(Duration.ofSeconds(4)), lognormal(500, 2, 0.1)));
    RebalanceDecision decision =
        decide(reading(slice(NOW.minus(INTERVAL), with(SOUND, "search", older)), slice(SOUND)));

    assertThat(decision.figures().measured()).isTrue();
    assertThat(decision.figures().stages().get(0).samples()).isEqualTo(1000);
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
  }

  private static RoundFigures.StageFigures rerankWith(StageWindow window) {
    return decide(reading(slice(with(SOUND, "rerank", window)))).figures().stages().get(1);
  }

  private static RebalanceDecision decide(LatencyReading reading) {
    return Rebalancer.decide(input(BUDGET, policy(), reading));
  }

  private static RebalanceDecision decideAfterMove(LatencyReading reading, Instant lastMove) {
    return Rebalancer.decide(new RebalanceInput(BUDGET, policy(), reading, ID, lastMove, NOW));
  }

  private static Map<String, StageWindow> stage(String name, UnaryOperator<StageWindow> change) {
    StageWindow window = SOUND.get(name);
    return with(SOUND, name, change.apply(window));
  }

  private static Map<String, StageWindow> without(String name) {
    Map<String, StageWindow> copy = new HashMap<>(SOUND);
    copy.remove(name);
    return copy;
  }

  private static WindowSlice defective(String reason) {
    WindowSlice sound = slice(SOUND);
    return new WindowSlice(
        sound.from(),
        sound.to(),
        sound.stages(),
        sound.answers(),
        sound.levels(),
        sound.duration(),
        sound.remainingAtGenerate(),
        List.of(new WindowSlice.Defect(reason, "seen")));
  }

  private static StageWindow errors(StageWindow window, double errors) {
    return new StageWindow(
        window.started() + errors,
        window.completed(),
        window.capCut(),
        window.deadlineCut(),
        window.lost(),
        errors,
        window.skipped(),
        window.caps());
  }

  private static StageWindow completed(StageWindow window, LatencyHistogram completed) {
    return new StageWindow(
        completed.total(),
        completed,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        window.errors(),
        window.skipped(),
        window.caps());
  }

  private static StageWindow caps(StageWindow window, StageWindow.@Nullable CapSpan caps) {
    return new StageWindow(
        window.started(),
        window.completed(),
        window.capCut(),
        window.deadlineCut(),
        window.lost(),
        window.errors(),
        window.skipped(),
        caps);
  }
}
