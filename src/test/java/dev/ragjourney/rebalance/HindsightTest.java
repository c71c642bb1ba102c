package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Assistant.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;
import dev.ragjourney.rebalance.PastMoves.Made;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import dev.ragjourney.simulate.SimulatedPods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A move that did harm is taken back, and only such a one. */
class HindsightTest {
  private static final Expected GOOD = new Expected(0.02, 0.002);
  private static final CapChange HARM = new CapChange("rerank", ms(700), ms(250), "a mistake");
  private static final CapChange GAIN = new CapChange("rerank", ms(250), ms(700), "no mistake");

  @ParameterizedTest
  @EnumSource
  void the_earlier_caps_come_back_where_they_are_clearly_better(Rule rule) {
    RebalanceDecision decision = decide(rule, HARM, GOOD, 2000, Assistant.typical());

    assertThat(decision).isInstanceOf(RebalanceDecision.Move.class);
    RebalanceDecision.Move back = (RebalanceDecision.Move) decision;
    assertThat(back.reason()).isEqualTo(Reasons.ROLLED_BACK);
    assertThat(back.changes())
        .extracting(CapChange::stage, CapChange::from, CapChange::to)
        .containsExactly(tuple("rerank", ms(250), ms(700)));
    assertThat(back.message())
        .startsWith("the last move is taken back: rerank 250 ms → 700 ms; on the calls since the")
        .containsPattern("the caps before it give [0-9.]+ % full and [0-9.]+ % missed answers");
    assertThat(back.expected().gain()).isGreaterThan(0.01);
  }

  @Test
  void a_move_that_did_good_stands() {
    assertThat(reason(decide(Rule.MAX_QUALITY, GAIN, GOOD, 2000, Assistant.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_difference_within_two_standard_errors_is_none() {
    CapChange little = new CapChange("rerank", ms(620), ms(600), "little");

    assertThat(reason(decide(Rule.MAX_QUALITY, little, GOOD, 130, Assistant.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Rule.MAX_QUALITY, harm(600), GOOD, 130, Assistant.typical())))
        .as("few calls")
        .isNotEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Rule.MAX_QUALITY, harm(600), GOOD, 20_000, Assistant.typical())))
        .as("the same harm seen in many calls")
        .isEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void what_a_move_was_known_to_cost_is_no_surprise() {
    Expected known = new Expected(-0.5, 0.002);

    assertThat(reason(decide(Rule.P95_HEADROOM, HARM, known, 2000, Assistant.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Rule.P95_HEADROOM, HARM, null, 2000, Assistant.typical())))
        .as("of a move from before any law was known nothing was expected")
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_known_cost_that_was_itself_uncertain_excuses_more() {
    Expected sure = new Expected(-0.1, 0.002);
    Expected unsure = new Expected(-0.1, 0.5);

    assertThat(reason(decide(Rule.P95_HEADROOM, HARM, sure, 2000, Assistant.typical())))
        .isEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Rule.P95_HEADROOM, HARM, unsure, 2000, Assistant.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void harm_that_is_certain_but_next_to_nothing_is_not_worth_two_moves() {
    RebalanceDecision decision =
        decide(Rule.MAX_QUALITY, harm(690), GOOD, 100_000, Assistant.typical());

    assertThat(reason(decision)).isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_rollback_that_did_harm_is_not_rolled_back_in_turn() {
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(HARM));
    List<WindowSlice> slices = Assistant.slices(budget, Assistant.typical(), NOW, 1, 2000);
    Instant moved = NOW.minus(INTERVAL);
    PastMoves back =
        new PastMoves(new Made(moved, true, List.of(HARM), GOOD), List.of(), null, Map.of());

    assertThat(reason(decide(Rule.MAX_QUALITY, budget, made(moved, HARM, GOOD), slices, NOW)))
        .isEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Rule.MAX_QUALITY, budget, back, slices, NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void how_sure_a_judgement_is_comes_from_the_calls_since_the_move_alone() {
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(harm(600)));
    Instant moved = NOW.minus(INTERVAL);
    List<WindowSlice> slices =
        new ArrayList<>(Assistant.slices(Assistant.seed(), Assistant.typical(), moved, 4, 20_000));
    slices.addAll(Assistant.slices(budget, Assistant.typical(), NOW, 1, 130));

    assertThat(reason(decide(Rule.MAX_QUALITY, budget, made(moved, harm(600), GOOD), slices, NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_world_that_became_slower_is_not_the_moves_fault() {
    Map<String, Laws> slower = Assistant.typical();
    slower.put("rerank", Laws.lognormal(0.5, 0.5));
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(HARM));
    List<WindowSlice> slices = new ArrayList<>();
    Instant moved = NOW.minus(INTERVAL.multipliedBy(2));
    slices.addAll(Assistant.slices(Assistant.seed(), Assistant.typical(), moved, 4, 2000));
    slices.addAll(Assistant.slices(budget, slower, NOW, 2, 2000));

    RebalanceDecision decision =
        decide(Rule.MAX_QUALITY, budget, made(moved, HARM, GOOD), slices, NOW);

    assertThat(reason(decision)).isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_move_is_judged_on_what_was_measured_since() {
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(HARM));
    Instant moved = NOW.minus(INTERVAL);
    List<WindowSlice> slices = new ArrayList<>();
    slices.addAll(Assistant.slices(Assistant.seed(), Assistant.typical(), moved, 4, 2000));
    slices.addAll(Assistant.slices(budget, Assistant.typical(), NOW, 1, 60));

    RebalanceDecision decision =
        decide(Rule.MAX_QUALITY, budget, made(moved, HARM, GOOD), slices, NOW);

    assertThat(reason(decision)).isEqualTo(Reasons.JUDGING_LAST_MOVE);
  }

  @Test
  void a_move_that_has_lasted_a_window_has_stood() {
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(HARM));
    List<WindowSlice> slices = Assistant.slices(budget, Assistant.typical(), NOW, 6, 2000);

    assertThat(
            reason(
                decide(
                    Rule.MAX_QUALITY,
                    budget,
                    made(NOW.minus(INTERVAL.multipliedBy(7)), HARM, GOOD),
                    slices,
                    NOW)))
        .isEqualTo(Reasons.ROLLED_BACK);
    assertThat(
            reason(
                decide(
                    Rule.MAX_QUALITY,
                    budget,
                    made(NOW.minus(INTERVAL.multipliedBy(7)).minusSeconds(1), HARM, GOOD),
                    slices,
                    NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void what_a_person_has_changed_since_is_not_taken_back() {
    JourneyBudget edited =
        CapChange.carriedOut(
            Assistant.seed(), List.of(new CapChange("rerank", ms(700), ms(260), "by hand")));
    List<WindowSlice> slices = Assistant.slices(edited, Assistant.typical(), NOW, 1, 2000);
    PastMoves made = made(NOW.minus(INTERVAL), HARM, GOOD);

    assertThat(reason(decide(Rule.MAX_QUALITY, edited, made, slices, NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(HARM));
    assertThat(
            reason(
                decide(
                    Rule.MAX_QUALITY,
                    budget,
                    made.withChanged(Map.of("rerank", NOW.minus(INTERVAL).plusSeconds(1))),
                    Assistant.slices(budget, Assistant.typical(), NOW, 1, 2000),
                    NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    PastMoves earlier = made(NOW.minus(INTERVAL.multipliedBy(2)), HARM, GOOD);
    List<WindowSlice> two = Assistant.slices(budget, Assistant.typical(), NOW, 2, 2000);
    assertThat(reason(decide(Rule.MAX_QUALITY, budget, earlier, two, NOW)))
        .isEqualTo(Reasons.ROLLED_BACK);
    assertThat(
            reason(
                decide(
                    Rule.MAX_QUALITY,
                    budget,
                    earlier.withChanged(Map.of("rerank", NOW.minus(INTERVAL))),
                    two,
                    NOW)))
        .as("its spec changed since, and a whole interval was its own")
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void the_earlier_caps_come_back_as_far_as_their_range_allows() {
    RebalancePolicy policy = Assistant.policy(Rule.MAX_QUALITY);
    Map<String, RebalancePolicy.CapRange> ranges = new java.util.HashMap<>(policy.capRanges());
    ranges.put("rerank", new RebalancePolicy.CapRange(ms(10), ms(650)));
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(HARM));

    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                budget,
                Assistant.with(ranges, policy.deadBand()),
                Journeys.reading(
                    Assistant.slices(budget, Assistant.typical(), NOW, 1, 2000)
                        .toArray(WindowSlice[]::new)),
                ID,
                made(NOW.minus(INTERVAL), HARM, GOOD),
                NOW));

    assertThat(((RebalanceDecision.Move) decision).changes().getFirst().to()).isEqualTo(ms(650));
  }

  @Test
  void a_move_that_was_taken_back_is_not_made_again_from_what_it_was_made_from() {
    JourneyBudget budget = Assistant.seed();
    Instant back = NOW.minus(INTERVAL);
    List<WindowSlice> slices =
        new ArrayList<>(Assistant.slices(budget, Assistant.typical(), back, 5, 2000));
    slices.addAll(Assistant.slices(budget, Assistant.typical(), NOW, 1, 60));
    PastMoves taken =
        new PastMoves(new Made(back, true, List.of(GAIN), GOOD), List.of(), null, Map.of());
    PastMoves stood =
        new PastMoves(
            new Made(back.minus(INTERVAL), false, List.of(), null), List.of(), null, Map.of());

    assertThat(reason(decide(Rule.MAX_QUALITY, budget, stood, slices, NOW)))
        .as("the same window after a move that stood")
        .isEqualTo(Reasons.REBALANCED);
    assertThat(decide(Rule.MAX_QUALITY, budget, taken, slices, NOW))
        .isInstanceOf(RebalanceDecision.Hold.class);
    slices.set(5, Assistant.slices(budget, Assistant.typical(), NOW, 1, 2000).getFirst());
    assertThat(reason(decide(Rule.MAX_QUALITY, budget, taken, slices, NOW)))
        .as("new evidence")
        .isEqualTo(Reasons.REBALANCED);
  }

  @Test
  void a_bad_move_in_a_running_loop_is_taken_back_once_and_the_cooldown_is_long_after_it() {
    RebalancePolicy policy = Assistant.policy(Rule.MAX_QUALITY);
    SimulatedPods pods = new SimulatedPods(4);
    JourneyBudget budget = Assistant.seed();
    PastMoves moves = PastMoves.NONE;
    List<WindowSlice> window = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    Duration best = Duration.ZERO;
    for (int w = 0; w < 40; w++) {
      Instant now = NOW.plus(INTERVAL.multipliedBy(w));
      window.add(pods.run(budget, Assistant.world(Assistant.typical()), 2000, now, INTERVAL));
      if (window.size() > 6) {
        window.removeFirst();
      }
      RebalanceDecision decision =
          Rebalancer.decide(
              new RebalanceInput(
                  budget,
                  policy,
                  Journeys.reading(window.toArray(WindowSlice[]::new)),
                  ID,
                  moves,
                  now));
      if (w == 20) {
        best = budget.stages().get(3).cap();
        decision =
            new RebalanceDecision.Move(
                Reasons.REBALANCED,
                "a mistake",
                List.of(new CapChange("rerank", best, ms(250), "a mistake")),
                decision.figures(),
                GOOD);
      }
      if (decision instanceof RebalanceDecision.Move move) {
        moves = moves.with(now, move, policy);
        budget = CapChange.carriedOut(budget, move.changes());
        if (w >= 20) {
          reasons.add(w + " " + move.reason());
        }
        if (move.reason().equals(Reasons.ROLLED_BACK)) {
          assertThat(moves.cooldown()).isEqualTo(policy.cooldown().multipliedBy(2));
        }
      }
    }

    assertThat(reasons).startsWith("20 Rebalanced", "21 RolledBack");
    assertThat(reasons.stream().filter(reason -> reason.endsWith("RolledBack"))).hasSize(1);
    assertThat(budget.stages().get(3).cap())
        .isGreaterThanOrEqualTo(best.multipliedBy(4).dividedBy(5));
  }

  private static CapChange harm(long to) {
    return new CapChange("rerank", ms(700), ms(to), "a mistake");
  }

  /** One interval after a move. */
  private static RebalanceDecision decide(
      Rule rule,
      CapChange change,
      @Nullable Expected expected,
      int journeys,
      Map<String, Laws> laws) {
    JourneyBudget budget = CapChange.carriedOut(Assistant.seed(), List.of(change));
    return decide(
        rule,
        budget,
        made(NOW.minus(INTERVAL), change, expected),
        Assistant.slices(budget, laws, NOW, 1, journeys),
        NOW);
  }

  private static RebalanceDecision decide(
      Rule rule, JourneyBudget budget, PastMoves moves, List<WindowSlice> slices, Instant now) {
    return Rebalancer.decide(
        new RebalanceInput(
            budget,
            Assistant.policy(rule),
            Journeys.reading(slices.toArray(WindowSlice[]::new)),
            ID,
            moves,
            now));
  }

  private static PastMoves made(Instant at, CapChange change, @Nullable Expected expected) {
    return new PastMoves(
        new Made(at, false, List.of(change), expected), List.of(at), null, Map.of());
  }

  private static String reason(RebalanceDecision decision) {
    return decision.reason();
  }
}
