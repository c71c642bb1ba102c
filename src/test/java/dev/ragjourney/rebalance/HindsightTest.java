package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.QualityLoop.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;
import dev.ragjourney.rebalance.PastMoves.Made;
import dev.ragjourney.rebalance.QualityLoop.Mover;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
  @EnumSource(
      value = Mover.class,
      names = {"P95_HEADROOM", "MAX_QUALITY"})
  void the_earlier_caps_come_back_where_they_are_clearly_better(Mover rule) {
    RebalanceDecision decision = decide(rule, HARM, GOOD, 2000, QualityLoop.typical());

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
    assertThat(reason(decide(Mover.MAX_QUALITY, GAIN, GOOD, 2000, QualityLoop.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_difference_within_two_standard_errors_is_none() {
    CapChange little = new CapChange("rerank", ms(620), ms(600), "little");

    assertThat(reason(decide(Mover.MAX_QUALITY, little, GOOD, 130, QualityLoop.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Mover.MAX_QUALITY, harm(600), GOOD, 130, QualityLoop.typical())))
        .as("few calls")
        .isNotEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Mover.MAX_QUALITY, harm(600), GOOD, 20_000, QualityLoop.typical())))
        .as("the same harm seen in many calls")
        .isEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void what_a_move_was_known_to_cost_is_no_surprise() {
    Expected known = new Expected(-0.5, 0.002);

    assertThat(reason(decide(Mover.P95_HEADROOM, HARM, known, 2000, QualityLoop.typical())))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    assertThat(reason(decide(Mover.P95_HEADROOM, HARM, null, 2000, QualityLoop.typical())))
        .as("of a move from before any law was known nothing was expected")
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_world_that_became_slower_is_not_the_moves_fault() {
    Map<String, Laws> slower = QualityLoop.typical();
    slower.put("rerank", Laws.lognormal(0.5, 0.5));
    JourneyBudget budget = CapChange.carriedOut(QualityLoop.seed(), List.of(HARM));
    List<WindowSlice> slices = new ArrayList<>();
    Instant moved = NOW.minus(INTERVAL.multipliedBy(2));
    slices.addAll(slices(QualityLoop.seed(), QualityLoop.typical(), moved, 4, 2000));
    slices.addAll(slices(budget, slower, NOW, 2, 2000));

    RebalanceDecision decision =
        decide(Mover.MAX_QUALITY, budget, made(moved, HARM, GOOD), slices, NOW);

    assertThat(reason(decision)).isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void a_move_is_judged_on_what_was_measured_since() {
    JourneyBudget budget = CapChange.carriedOut(QualityLoop.seed(), List.of(HARM));
    Instant moved = NOW.minus(INTERVAL);
    List<WindowSlice> slices = new ArrayList<>();
    slices.addAll(slices(QualityLoop.seed(), QualityLoop.typical(), moved, 4, 2000));
    slices.addAll(slices(budget, QualityLoop.typical(), NOW, 1, 60));

    RebalanceDecision decision =
        decide(Mover.MAX_QUALITY, budget, made(moved, HARM, GOOD), slices, NOW);

    assertThat(reason(decision)).isEqualTo(Reasons.JUDGING_LAST_MOVE);
  }

  @Test
  void a_move_that_has_lasted_a_window_has_stood() {
    JourneyBudget budget = CapChange.carriedOut(QualityLoop.seed(), List.of(HARM));
    List<WindowSlice> slices = slices(budget, QualityLoop.typical(), NOW, 6, 2000);

    assertThat(
            reason(
                decide(
                    Mover.MAX_QUALITY,
                    budget,
                    made(NOW.minus(INTERVAL.multipliedBy(7)), HARM, GOOD),
                    slices,
                    NOW)))
        .isEqualTo(Reasons.ROLLED_BACK);
    assertThat(
            reason(
                decide(
                    Mover.MAX_QUALITY,
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
            QualityLoop.seed(), List.of(new CapChange("rerank", ms(700), ms(260), "by hand")));
    List<WindowSlice> slices = slices(edited, QualityLoop.typical(), NOW, 1, 2000);
    PastMoves made = made(NOW.minus(INTERVAL), HARM, GOOD);

    assertThat(reason(decide(Mover.MAX_QUALITY, edited, made, slices, NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
    JourneyBudget budget = CapChange.carriedOut(QualityLoop.seed(), List.of(HARM));
    assertThat(
            reason(
                decide(
                    Mover.MAX_QUALITY,
                    budget,
                    made.withChanged(Map.of("rerank", NOW.minus(INTERVAL).plusSeconds(1))),
                    slices(budget, QualityLoop.typical(), NOW, 1, 2000),
                    NOW)))
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void the_earlier_caps_come_back_as_far_as_their_range_allows() {
    RebalancePolicy policy = QualityLoop.policy(Mover.MAX_QUALITY);
    Map<String, RebalancePolicy.CapRange> ranges = new java.util.HashMap<>(policy.capRanges());
    ranges.put("rerank", new RebalancePolicy.CapRange(ms(10), ms(650)));
    JourneyBudget budget = CapChange.carriedOut(QualityLoop.seed(), List.of(HARM));

    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                budget,
                QualityLoop.with(ranges, policy.deadBand()),
                Journeys.reading(
                    slices(budget, QualityLoop.typical(), NOW, 1, 2000)
                        .toArray(WindowSlice[]::new)),
                ID,
                made(NOW.minus(INTERVAL), HARM, GOOD),
                NOW));

    assertThat(((RebalanceDecision.Move) decision).changes().getFirst().to()).isEqualTo(ms(650));
  }

  @Test
  void a_move_that_was_taken_back_is_not_made_again_from_what_it_was_made_from() {
    JourneyBudget budget = QualityLoop.seed();
    Instant back = NOW.minus(INTERVAL);
    List<WindowSlice> slices =
        new ArrayList<>(slices(budget, QualityLoop.typical(), back, 5, 2000));
    slices.addAll(slices(budget, QualityLoop.typical(), NOW, 1, 60));
    PastMoves taken =
        new PastMoves(new Made(back, true, List.of(GAIN), GOOD), List.of(), null, Map.of());
    PastMoves stood =
        new PastMoves(
            new Made(back.minus(INTERVAL), false, List.of(), null), List.of(), null, Map.of());

    assertThat(reason(decide(Mover.MAX_QUALITY, budget, stood, slices, NOW)))
        .as("the same window after a move that stood")
        .isEqualTo(Reasons.REBALANCED);
    assertThat(decide(Mover.MAX_QUALITY, budget, taken, slices, NOW))
        .isInstanceOf(RebalanceDecision.Hold.class);
    slices.set(5, slices(budget, QualityLoop.typical(), NOW, 1, 2000).getFirst());
    assertThat(reason(decide(Mover.MAX_QUALITY, budget, taken, slices, NOW)))
        .as("new evidence")
        .isEqualTo(Reasons.REBALANCED);
  }

  @Test
  void a_bad_move_in_a_running_loop_is_taken_back_once_and_the_cooldown_is_long_after_it() {
    RebalancePolicy policy = QualityLoop.policy(Mover.MAX_QUALITY);
    Random random = new Random(4);
    JourneyBudget budget = QualityLoop.seed();
    PastMoves moves = PastMoves.NONE;
    List<WindowSlice> window = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    Duration best = Duration.ZERO;
    for (int w = 0; w < 40; w++) {
      Instant now = NOW.plus(INTERVAL.multipliedBy(w));
      window.add(
          new Pods(random, QualityLoop.typical(), QualityLoop.fallbacks())
              .run(budget, 2000, now, INTERVAL));
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
      Mover rule,
      CapChange change,
      @Nullable Expected expected,
      int journeys,
      Map<String, Laws> laws) {
    JourneyBudget budget = CapChange.carriedOut(QualityLoop.seed(), List.of(change));
    return decide(
        rule,
        budget,
        made(NOW.minus(INTERVAL), change, expected),
        slices(budget, laws, NOW, 1, journeys),
        NOW);
  }

  private static RebalanceDecision decide(
      Mover rule, JourneyBudget budget, PastMoves moves, List<WindowSlice> slices, Instant now) {
    return Rebalancer.decide(
        new RebalanceInput(
            budget,
            QualityLoop.policy(rule),
            Journeys.reading(slices.toArray(WindowSlice[]::new)),
            ID,
            moves,
            now));
  }

  private static PastMoves made(Instant at, CapChange change, @Nullable Expected expected) {
    return new PastMoves(
        new Made(at, false, List.of(change), expected), List.of(at), null, Map.of());
  }

  private static List<WindowSlice> slices(
      JourneyBudget budget, Map<String, Laws> laws, Instant to, int count, int journeys) {
    Pods pods = new Pods(new Random(9), laws, QualityLoop.fallbacks());
    List<WindowSlice> slices = new ArrayList<>();
    for (int i = count - 1; i >= 0; i--) {
      slices.add(pods.run(budget, journeys, to.minus(INTERVAL.multipliedBy(i)), INTERVAL));
    }
    return slices;
  }

  private static String reason(RebalanceDecision decision) {
    return decision.reason();
  }
}
