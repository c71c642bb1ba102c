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
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.RERANK_CAP;
import static dev.ragjourney.rebalance.SoundJourney.SEARCH_CAP;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static dev.ragjourney.rebalance.SoundJourney.caps;
import static dev.ragjourney.rebalance.SoundJourney.completed;
import static dev.ragjourney.rebalance.SoundJourney.decide;
import static dev.ragjourney.rebalance.SoundJourney.defective;
import static dev.ragjourney.rebalance.SoundJourney.errors;
import static dev.ragjourney.rebalance.SoundJourney.stage;
import static dev.ragjourney.rebalance.SoundJourney.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which figures can be judged, and what of them counts. */
class VerdictTest {
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
            "metrics arrive two intervals late",
            reading(
                slice(NOW.minus(INTERVAL.multipliedBy(3)), SOUND),
                slice(NOW.minus(INTERVAL.multipliedBy(2)), SOUND)),
            Reasons.STALE),
        new Case(
            "the newest sample of a slice that ends now is half an interval old",
            scraped(NOW.minus(INTERVAL.dividedBy(2)).minusMillis(1)),
            Reasons.STALE),
        new Case(
            "a pod is scraped twice",
            reading(slice(SOUND), defective(Reasons.SEVERAL_SERIES)),
            Reasons.SEVERAL_SERIES),
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

  private static LatencyReading scraped(Instant at) {
    return new LatencyReading.Measured(Map.of(ID, new JourneyWindow(List.of(slice(SOUND)), at)));
  }

  @Test
  void samples_half_an_interval_old_are_fresh_enough_and_slow_scrapes_of_short_intervals_too() {
    assertThat(decide(scraped(NOW.minus(INTERVAL.dividedBy(2)))).figures().measured()).isTrue();
    RebalancePolicy minute = interval(Duration.ofMinutes(2));
    assertThat(judged(minute, NOW.minusSeconds(90))).isEqualTo(RoundFigures.MEASURED);
    assertThat(judged(minute, NOW.minusSeconds(91))).isEqualTo(Reasons.STALE);
    RebalancePolicy short10 = interval(Duration.ofSeconds(10));
    assertThat(judged(short10, NOW.minusSeconds(10))).isEqualTo(RoundFigures.MEASURED);
    assertThat(judged(short10, NOW.minusSeconds(11))).isEqualTo(Reasons.STALE);
  }

  private static String judged(RebalancePolicy policy, Instant scraped) {
    return Rebalancer.decide(input(BUDGET, policy, scraped(scraped))).figures().metricsReason();
  }

  private static RebalancePolicy interval(Duration interval) {
    RebalancePolicy policy = policy();
    return Journeys.with(policy, interval, policy.deadBand(), policy.cooldown());
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
    StageWindow rare = mostlySkipped(RERANK_CAP);
    RebalanceDecision decision = decide(reading(slice(with(SOUND, "rerank", rare))));

    assertThat(decision).isInstanceOf(RebalanceDecision.Move.class);
    assertThat(((RebalanceDecision.Move) decision).changes())
        .extracting(CapChange::stage)
        .containsExactly("search");
    assertThat(decision.figures().metricsMessage()).contains("set aside: rerank");
    assertThat(decision.figures().stages().get(1).skippedRatio()).isCloseTo(0.99, within(1e-9));
  }

  @Test
  void a_stage_that_is_set_aside_gives_nothing_where_the_caps_do_not_fit_either() {
    JourneyBudget tight = budget(required("search", 1_400), optional("rerank", 900));
    Duration rerankCap = ms(900);
    StageWindow search = calls(ms(1_400), 0, lognormal(1000, 0.8, 0.3));
    StageWindow usual = calls(rerankCap, 0, lognormal(1000, 0.4, 0.3));
    StageWindow rare = mostlySkipped(rerankCap);

    assertThat(moved(tight, Map.of("search", search, "rerank", usual)))
        .as("of a stage that runs the cap shrinks")
        .contains("rerank");
    assertThat(moved(tight, Map.of("search", search, "rerank", rare))).doesNotContain("rerank");
  }

  /** Ten calls in a thousand journeys, whose level skips the stage in the others. */
  private static StageWindow mostlySkipped(Duration cap) {
    return new StageWindow(
        10,
        histogram(lognormal(10, 0.1, 0.2)),
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        0,
        Map.of("level", 990.0),
        new StageWindow.CapSpan(cap, cap));
  }

  private static List<String> moved(JourneyBudget budget, Map<String, StageWindow> stages) {
    RebalanceDecision decision =
        Rebalancer.decide(
            input(
                budget, policy(), reading(slice(with(stages, "generate", SOUND.get("generate"))))));
    return decision instanceof RebalanceDecision.Move move
        ? move.changes().stream().map(CapChange::stage).toList()
        : List.of();
  }

  @Test
  void a_mix_of_layouts_in_an_older_slice_does_not_hold() {
    LatencyReading reading = reading(defective(Reasons.LAYOUT_CHANGED), slice(SOUND));

    assertThat(decide(reading).figures().metricsReason()).isEqualTo(RoundFigures.MEASURED);
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
        new RebalanceInput(
            BUDGET, policy(), reading, ID, PastMoves.madeAt(NOW.minus(INTERVAL)), NOW);

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
}
