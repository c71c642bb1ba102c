package dev.ragjourney.simulate;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.rerank;
import static dev.ragjourney.budget.StageDraft.rewrite;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.simulate.PlainLoop.Interval;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds of the plain rule over simulated pods, seeded. The caps may take 1750 ms together. */
class ClosedLoopTest {
  private static final Duration POOL = Duration.ofMillis(1750);

  private static final Map<String, Law> LAWS =
      Map.of(
          "rewrite", lognormal(100, 0.4),
          "search", lognormal(250, 0.5),
          "rerank", lognormal(200, 0.4),
          "generate", lognormal(700, 0.3));

  /** p95 × 1.2: 232, 683 and 463 ms. */
  private static JourneyBudget misSet() {
    return budget("600ms", "400ms", "150ms");
  }

  private static JourneyBudget budget(String rewrite, String search, String rerank) {
    return BudgetDraft.of("3s")
        .reserve("50ms")
        .stages(
            rewrite().cap(rewrite),
            search().cap(search),
            rerank().cap(rerank),
            generate().floor("1200ms"))
        .budget();
  }

  private static Law lognormal(long medianMillis, double sigma) {
    return new Law.Lognormal(Duration.ofMillis(medianMillis), sigma);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void caps_set_wrong_become_p95_plus_headroom_and_stay_there(long seed) {
    List<Interval> intervals = new PlainLoop(seed, misSet(), 1000, LAWS).run(90);

    Map<String, Duration> settled = intervals.get(39).after();
    assertThat(settled.get("rewrite").toMillis()).isCloseTo(232, within(30L));
    assertThat(settled.get("search").toMillis()).isCloseTo(683, within(75L));
    assertThat(settled.get("rerank").toMillis()).isCloseTo(463, within(50L));
    assertThat(moves(intervals.subList(40, 90)))
        .as("moves in 50 intervals without a change of the world")
        .isLessThanOrEqualTo(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void what_the_plain_rule_costs_by_its_nature_is_never_taken_back(long seed) {
    assertThat(new PlainLoop(seed, misSet(), 1000, LAWS).run(60))
        .extracting(interval -> interval.decision().reason())
        .contains(Reasons.REBALANCED)
        .doesNotContain(Reasons.ROLLED_BACK);
  }

  @ParameterizedTest(name = "{0} journeys in an interval")
  @ValueSource(ints = {40, 100, 300, 3000})
  void whatever_the_traffic_caps_neither_swing_nor_pass_the_pool(int journeys) {
    List<Interval> intervals = new PlainLoop(11, misSet(), journeys, LAWS).run(160);
    List<Interval> settled = intervals.subList(60, 160);
    Map<String, Duration> last = settled.getLast().after();

    assertThat(moves(settled)).isLessThanOrEqualTo(8);
    for (Interval interval : settled) {
      assertThat(sum(interval.after())).isLessThanOrEqualTo(POOL);
      interval
          .after()
          .forEach(
              (stage, cap) ->
                  assertThat((double) cap.toMillis() / last.get(stage).toMillis())
                      .as(stage)
                      .isBetween(0.7, 1.4));
    }
  }

  @Test
  void a_slower_stage_gets_its_time_within_a_few_rounds_and_gives_it_back() {
    List<Interval> intervals =
        new PlainLoop(3, misSet(), 1000, LAWS)
            .becomes(40, "rerank", lognormal(350, 0.4))
            .becomes(60, "rerank", lognormal(200, 0.4))
            .run(90);

    long before = intervals.get(39).after().get("rerank").toMillis();
    assertThat(intervals.get(59).after().get("rerank").toMillis()).isCloseTo(811, within(90L));
    assertThat(intervals.get(89).after().get("rerank").toMillis())
        .isCloseTo(before, within(before / 10));
  }

  @Test
  void a_stage_that_hangs_moves_no_other_cap_by_more_than_the_stages_own_need() {
    List<Interval> intervals =
        new PlainLoop(5, misSet(), 1000, LAWS).becomes(40, "rerank", new Law.Hang()).run(70);
    Map<String, Duration> before = intervals.get(39).after();

    for (Interval interval : intervals.subList(40, 70)) {
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
    Map<String, Law> slow =
        Map.of(
            "rewrite", lognormal(350, 0.3),
            "search", lognormal(600, 0.3),
            "rerank", lognormal(500, 0.3),
            "generate", lognormal(700, 0.3));
    List<Interval> intervals =
        new PlainLoop(9, budget("600ms", "1000ms", "900ms"), 1000, slow).run(30);

    for (Interval interval : intervals) {
      assertThat(sum(interval.after())).isLessThanOrEqualTo(sum(interval.before()));
    }
    Map<String, Duration> last = intervals.getLast().after();
    assertThat(sum(last)).isLessThanOrEqualTo(POOL).isGreaterThan(Duration.ofMillis(1700));
    assertThat(last.get("search")).isGreaterThanOrEqualTo(Duration.ofMillis(940));
  }

  @Test
  void every_move_obeys_its_limits() {
    PlainLoop runs = new PlainLoop(21, misSet(), 300, LAWS);
    for (int shift = 0; shift < 12; shift++) {
      String stage = List.of("rewrite", "search", "rerank").get(shift % 3);
      runs.becomes(7 * shift, stage, lognormal(50 + 70 * (shift % 5), 0.5));
    }
    List<Interval> intervals = runs.run(84);

    assertThat(moves(intervals)).as("moves that were looked at").isGreaterThan(10);
    for (Interval interval : intervals) {
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

  @Test
  void the_same_seed_gives_the_same_decisions() {
    List<Interval> one = new PlainLoop(8, misSet(), 300, LAWS).run(20);

    assertThat(new PlainLoop(8, misSet(), 300, LAWS).run(20)).isEqualTo(one);
  }

  private static long moves(List<Interval> intervals) {
    return intervals.stream()
        .filter(interval -> interval.decision() instanceof RebalanceDecision.Move)
        .count();
  }

  private static Duration sum(Map<String, Duration> caps) {
    return caps.values().stream().reduce(Duration.ZERO, Duration::plus);
  }
}
