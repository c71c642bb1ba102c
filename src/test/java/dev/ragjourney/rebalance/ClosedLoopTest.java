package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.ClosedLoop.lognormal;
import static dev.ragjourney.rebalance.Journeys.budget;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.Journeys.optional;
import static dev.ragjourney.rebalance.Journeys.policy;
import static dev.ragjourney.rebalance.Journeys.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds over simulated pods, seeded. The caps may take 1750 ms together. */
class ClosedLoopTest {
  private static final Duration POOL = ms(1750);

  private static final Map<String, ToDoubleFunction<Random>> LAWS =
      Map.of(
          "rewrite", lognormal(0.10, 0.4),
          "search", lognormal(0.25, 0.5),
          "rerank", lognormal(0.20, 0.4),
          "generate", lognormal(0.7, 0.3));

  /** p95 × 1.2: 232, 683 and 463 ms. */
  private static JourneyBudget misSet() {
    return budget(optional("rewrite", 600), required("search", 400), optional("rerank", 150));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void caps_set_wrong_become_p95_plus_headroom_and_stay_there(long seed) {
    ClosedLoop loop = new ClosedLoop(seed, misSet(), policy(), 1000, LAWS);

    loop.run(40);

    assertThat(loop.caps().get("rewrite").toMillis()).isCloseTo(232, within(30L));
    assertThat(loop.caps().get("search").toMillis()).isCloseTo(683, within(75L));
    assertThat(loop.caps().get("rerank").toMillis()).isCloseTo(463, within(50L));
    long moves = loop.run(50).stream().filter(ClosedLoopTest::moved).count();
    assertThat(moves)
        .as("moves in 50 intervals without a change of the world")
        .isLessThanOrEqualTo(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void what_the_plain_rule_costs_by_its_nature_is_never_taken_back(long seed) {
    ClosedLoop loop = new ClosedLoop(seed, misSet(), policy(), 1000, LAWS);

    assertThat(loop.run(60))
        .extracting(interval -> interval.decision().reason())
        .contains(Reasons.REBALANCED)
        .doesNotContain(Reasons.ROLLED_BACK);
  }

  @ParameterizedTest(name = "{0} journeys in an interval")
  @ValueSource(ints = {40, 100, 300, 3000})
  void whatever_the_traffic_caps_neither_swing_nor_pass_the_pool(int journeys) {
    ClosedLoop loop = new ClosedLoop(11, misSet(), policy(), journeys, LAWS);
    loop.run(60);

    List<ClosedLoop.Interval> settled = loop.run(100);

    assertThat(settled.stream().filter(ClosedLoopTest::moved).count()).isLessThanOrEqualTo(8);
    for (ClosedLoop.Interval interval : settled) {
      assertThat(sum(interval.after())).isLessThanOrEqualTo(POOL);
      interval
          .after()
          .forEach(
              (stage, cap) ->
                  assertThat((double) cap.toMillis() / loop.caps().get(stage).toMillis())
                      .as(stage)
                      .isBetween(0.7, 1.4));
    }
  }

  @Test
  void a_slower_stage_gets_its_time_within_a_few_rounds_and_gives_it_back() {
    ClosedLoop loop = new ClosedLoop(3, misSet(), policy(), 1000, LAWS);
    loop.run(40);
    Duration before = loop.caps().get("rerank");

    loop.becomes("rerank", lognormal(0.35, 0.4));
    loop.run(20);
    Duration slow = loop.caps().get("rerank");
    loop.becomes("rerank", lognormal(0.20, 0.4));
    loop.run(30);

    assertThat(slow.toMillis()).isCloseTo(811, within(90L));
    assertThat(loop.caps().get("rerank").toMillis())
        .isCloseTo(before.toMillis(), within(before.toMillis() / 10));
  }

  @Test
  void a_stage_that_hangs_moves_no_other_cap_by_more_than_the_stages_own_need() {
    ClosedLoop loop = new ClosedLoop(5, misSet(), policy(), 1000, LAWS);
    loop.run(40);
    Map<String, Duration> before = loop.caps();

    loop.becomes("rerank", _ -> Double.POSITIVE_INFINITY);
    List<ClosedLoop.Interval> hanging = loop.run(30);

    for (ClosedLoop.Interval interval : hanging) {
      for (String other : List.of("rewrite", "search")) {
        double change =
            (double) interval.after().get(other).toMillis() / before.get(other).toMillis();
        assertThat(change).as(other).isBetween(0.8, 1.2);
      }
      assertThat(sum(interval.after())).isLessThanOrEqualTo(POOL);
    }
  }

  @Test
  void over_committed_caps_shrink_the_optional_stages_until_they_fit_and_required_ones_stay() {
    JourneyBudget tight =
        budget(optional("rewrite", 600), required("search", 1000), optional("rerank", 900));
    Map<String, ToDoubleFunction<Random>> slow =
        Map.of(
            "rewrite", lognormal(0.35, 0.3),
            "search", lognormal(0.6, 0.3),
            "rerank", lognormal(0.5, 0.3),
            "generate", lognormal(0.7, 0.3));
    ClosedLoop loop = new ClosedLoop(9, tight, policy(), 1000, slow);

    List<ClosedLoop.Interval> intervals = loop.run(30);

    for (ClosedLoop.Interval interval : intervals) {
      assertThat(sum(interval.after())).isLessThanOrEqualTo(sum(interval.before()));
    }
    assertThat(sum(loop.caps())).isLessThanOrEqualTo(POOL).isGreaterThan(ms(1700));
    assertThat(loop.caps().get("search")).isGreaterThanOrEqualTo(ms(940));
  }

  @Test
  void every_move_obeys_its_limits() {
    ClosedLoop loop = new ClosedLoop(21, misSet(), policy(), 300, LAWS);
    for (int shift = 0; shift < 12; shift++) {
      String stage = List.of("rewrite", "search", "rerank").get(shift % 3);
      loop.becomes(stage, lognormal(0.05 + 0.07 * (shift % 5), 0.5));
      for (ClosedLoop.Interval interval : loop.run(7)) {
        interval
            .after()
            .forEach(
                (name, cap) -> {
                  double ratio = (double) cap.toNanos() / interval.before().get(name).toNanos();
                  assertThat(ratio).as(name).isBetween(0.8, 1.5);
                  assertThat(cap.toNanos() % 1_000_000).isZero();
                });
      }
    }
  }

  @Test
  void the_same_seed_gives_the_same_decisions() {
    List<ClosedLoop.Interval> one = new ClosedLoop(8, misSet(), policy(), 300, LAWS).run(20);
    List<ClosedLoop.Interval> other = new ClosedLoop(8, misSet(), policy(), 300, LAWS).run(20);

    assertThat(one).isEqualTo(other);
  }

  private static boolean moved(ClosedLoop.Interval interval) {
    return interval.decision() instanceof RebalanceDecision.Move;
  }

  private static Duration sum(Map<String, Duration> caps) {
    return caps.values().stream().reduce(Duration.ZERO, Duration::plus);
  }
}
