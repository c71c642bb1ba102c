package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.calls;
import static dev.ragjourney.rebalance.Journeys.lognormal;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.reading;
import static dev.ragjourney.rebalance.Journeys.slice;
import static dev.ragjourney.rebalance.SoundJourney.BUDGET;
import static dev.ragjourney.rebalance.SoundJourney.RERANK_CAP;
import static dev.ragjourney.rebalance.SoundJourney.SEARCH_CAP;
import static dev.ragjourney.rebalance.SoundJourney.SOUND;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Between what a rule asks for and what is done. */
class GuardsTest {
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(1));

  @Test
  void the_first_move_waits_for_two_hundred_questions() {
    assertThat(decide(PastMoves.NONE, slice(few(199))).reason()).isEqualTo(Reasons.COLD_START);
    assertThat(decide(PastMoves.NONE, slice(few(200)))).isInstanceOf(RebalanceDecision.Move.class);
  }

  @Test
  void the_first_move_waits_no_longer_than_a_window() {
    List<WindowSlice> slices = new ArrayList<>();
    for (int i = 5; i >= 0; i--) {
      slices.add(slice(NOW.minus(INTERVAL.multipliedBy(i)), few(25)));
    }

    assertThat(decide(PastMoves.NONE, slices.toArray(WindowSlice[]::new)).reason())
        .isEqualTo(Reasons.REBALANCED);
    slices.removeFirst();
    assertThat(decide(PastMoves.NONE, slices.toArray(WindowSlice[]::new)).reason())
        .isEqualTo(Reasons.COLD_START);
  }

  @Test
  void a_journey_that_moved_before_is_not_cold() {
    assertThat(decide(PastMoves.madeAt(LONG_AGO), slice(few(150))))
        .isInstanceOf(RebalanceDecision.Move.class);
  }

  @Test
  void no_more_moves_are_made_within_an_hour_than_allowed() {
    RebalancePolicy two = perHour(2);
    Instant first = NOW.minus(Duration.ofMinutes(59));
    Instant second = NOW.minus(Duration.ofMinutes(20));
    PastMoves full = moves(second, first);

    RebalanceDecision held = decide(full, two, false, slice(SOUND));
    assertThat(held.reason()).isEqualTo(Reasons.MAX_MOVES_PER_HOUR);
    assertThat(held.message())
        .isEqualTo("caps stay until 2026-03-01T12:01:00Z: no more than 2 moves an hour");
    assertThat(decide(full, perHour(3), false, slice(SOUND)).reason())
        .isEqualTo(Reasons.REBALANCED);
    assertThat(
            decide(moves(second, NOW.minus(Duration.ofHours(1))), two, false, slice(SOUND))
                .reason())
        .as("an hour later")
        .isEqualTo(Reasons.REBALANCED);
  }

  @Test
  void without_a_limit_of_its_own_the_cooldown_is_the_limit() {
    assertThat(RebalancePolicy.movesPerHour(Duration.ofMinutes(10))).isEqualTo(6);
    assertThat(RebalancePolicy.movesPerHour(Duration.ofHours(2))).isEqualTo(1);
    assertThat(RebalancePolicy.movesPerHour(Duration.ZERO)).isEqualTo(3600);
  }

  @Test
  void the_longer_cooldown_after_a_rollback_holds() {
    Instant at = NOW.minus(Duration.ofMinutes(15));
    PastMoves back =
        new PastMoves(
            new PastMoves.Made(at, true, List.of(), null),
            List.of(at),
            Duration.ofMinutes(20),
            Map.of());

    assertThat(decide(back, slice(SOUND)).reason()).isEqualTo(Reasons.COOLING_DOWN);
    assertThat(decide(PastMoves.madeAt(at), slice(SOUND)).reason()).isEqualTo(Reasons.REBALANCED);
  }

  @Test
  void a_pause_shows_what_it_would_do_and_does_nothing() {
    RebalanceDecision decision = decide(PastMoves.NONE, policy(), true, slice(SOUND));

    assertThat(decision)
        .isInstanceOfSatisfying(
            RebalanceDecision.Recommend.class,
            recommend -> assertThat(recommend.changes()).hasSize(2));
    assertThat(decision.reason()).isEqualTo(Reasons.PAUSED);
    assertThat(decision.message()).startsWith("rebalancing is paused; it would: search 600 ms");
    assertThat(decision.figures().stages().getFirst().p95()).isNotNull();
  }

  @Test
  void a_pause_is_told_where_nothing_is_measured_too() {
    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                BUDGET,
                policy(),
                new LatencyReading.Unavailable(Reasons.QUERY_FAILED, "refused"),
                ID,
                PastMoves.NONE,
                true,
                NOW));

    assertThat(decision.reason()).isEqualTo(Reasons.PAUSED);
    assertThat(decision.figures().metricsReason()).isEqualTo(Reasons.QUERY_FAILED);
  }

  @Test
  void where_it_is_switched_off_that_is_told_where_nothing_is_measured_too() {
    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                BUDGET,
                policy(RebalancePolicy.Mode.DISABLED, Map.of()),
                new LatencyReading.Unavailable(Reasons.QUERY_FAILED, "refused"),
                ID,
                PastMoves.NONE,
                NOW));

    assertThat(decision.reason()).isEqualTo(Reasons.DISABLED);
    assertThat(decision.figures().metricsReason()).isEqualTo(Reasons.QUERY_FAILED);
  }

  @ParameterizedTest
  @EnumSource(
      value = RebalancePolicy.Mode.class,
      names = {"RECOMMEND", "DISABLED"})
  void where_nothing_moves_anyway_a_pause_changes_nothing(RebalancePolicy.Mode mode) {
    RebalancePolicy still = policy(mode, Map.of());

    assertThat(decide(PastMoves.NONE, still, true, slice(SOUND)))
        .isEqualTo(decide(PastMoves.NONE, still, false, slice(SOUND)));
  }

  @Test
  void what_a_move_was_made_from_is_no_ground_for_the_next() {
    Instant moved = NOW.minus(INTERVAL);
    // The move changed nothing that the slices show: only its time keeps the older one out.
    WindowSlice before = slice(moved, SOUND);
    WindowSlice after = slice(NOW, few(60));

    RebalanceDecision decision = decide(PastMoves.madeAt(moved), perHour(60), false, before, after);
    assertThat(decision.reason()).isEqualTo(Reasons.TOO_FEW_SAMPLES);
    assertThat(
            decide(PastMoves.madeAt(moved.minus(INTERVAL)), perHour(60), false, before, after)
                .reason())
        .isEqualTo(Reasons.REBALANCED);
  }

  @Test
  void what_was_measured_before_a_stages_spec_changed_is_another_stages() {
    WindowSlice before = slice(NOW.minus(INTERVAL), SOUND);
    Map<String, StageWindow> faster = new HashMap<>(SOUND);
    faster.put("rerank", calls(RERANK_CAP, 0, lognormal(400, 0.1, 0.2)));
    WindowSlice after = slice(faster);
    PastMoves changed = PastMoves.NONE.withChanged(Map.of("rerank", NOW.minus(INTERVAL)));

    RoundFigures.StageFigures rerank =
        decide(changed, policy(), false, before, after).figures().stages().get(1);
    assertThat(rerank.samples()).isEqualTo(400);
    assertThat(rerank.p95()).isBetween(ms(130), ms(155));
    assertThat(
            decide(PastMoves.NONE, policy(), false, before, after)
                .figures()
                .stages()
                .get(1)
                .samples())
        .as("at the same cap, as if nothing had changed")
        .isEqualTo(1400);
  }

  @Test
  void a_stage_that_just_changed_holds_all_until_a_whole_interval_was_its_own() {
    PastMoves changed = PastMoves.NONE.withChanged(Map.of("rerank", NOW.minusSeconds(60)));

    RebalanceDecision decision = decide(changed, slice(SOUND));

    assertThat(decision.reason()).isEqualTo(Reasons.TOO_FEW_SAMPLES);
    assertThat(decision.message())
        .isEqualTo("caps stay: rerank: no whole interval has passed since its spec changed");
  }

  @Test
  void of_a_new_journey_nothing_counts_that_a_former_one_of_its_name_has_left() {
    Map<String, Instant> all = new HashMap<>();
    BUDGET.stages().forEach(stage -> all.put(stage.name(), NOW.minusSeconds(60)));

    RebalanceDecision decision = decide(PastMoves.NONE.withChanged(all), slice(SOUND));

    assertThat(decision.reason()).isEqualTo(Reasons.TOO_FEW_SAMPLES);
    assertThat(decision.figures().journey()).isEqualTo(RoundFigures.JourneyFigures.NONE);
  }

  @Test
  void a_change_says_how_many_calls_it_was_decided_on_and_which_limit_ended_it() {
    RebalanceDecision.Move move = (RebalanceDecision.Move) decide(PastMoves.NONE, slice(SOUND));

    assertThat(move.changes()).extracting(CapChange::samples).containsExactly(1000L, 1000L);
    assertThat(move.changes().get(0).why()).endsWith("; ends at maxStep.down 20 %");
  }

  private static RebalanceDecision decide(PastMoves moves, WindowSlice... slices) {
    return decide(moves, policy(), false, slices);
  }

  private static RebalanceDecision decide(
      PastMoves moves, RebalancePolicy policy, boolean paused, WindowSlice... slices) {
    return Rebalancer.decide(
        new RebalanceInput(BUDGET, policy, reading(slices), ID, moves, paused, NOW));
  }

  /** So many questions, of which a fifth are cut in rerank. */
  private static Map<String, StageWindow> few(int questions) {
    int cut = questions / 5;
    return Map.of(
        "search", calls(SEARCH_CAP, 0, lognormal(questions, 0.12, 0.35)),
        "rerank", calls(RERANK_CAP, cut, lognormal(questions - cut, 0.2, 0.2)),
        "generate", calls(ms(1200), 0, lognormal(questions, 0.7, 0.3)));
  }

  private static PastMoves moves(Instant... newestFirst) {
    return new PastMoves(
        new PastMoves.Made(newestFirst[0], false, List.of(), null),
        List.of(newestFirst),
        null,
        Map.of());
  }

  private static RebalancePolicy perHour(int moves) {
    RebalancePolicy policy = policy();
    return new RebalancePolicy(
        policy.mode(),
        policy.rule(),
        policy.interval(),
        policy.window(),
        policy.headroom(),
        policy.minSamples(),
        policy.maxStepUp(),
        policy.maxStepDown(),
        policy.deadBand(),
        moves >= 60 ? Duration.ZERO : policy.cooldown(),
        moves,
        policy.missRatio(),
        policy.capRanges());
  }
}
