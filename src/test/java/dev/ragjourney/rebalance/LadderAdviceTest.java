package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.rebalance.LadderAdvice.Rung;
import dev.ragjourney.simulate.Law;
import dev.ragjourney.simulate.SimulatedPods;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Three seconds, a slow model, and a reranker that may hang at a cap which may not move. */
class LadderAdviceTest {
  private static final int MANY = 2_000;
  static final Laws HANGS = Laws.lognormal(20, 0.2);
  private static final Laws WORKS = Laws.lognormal(0.1, 0.3);

  static Stream<Arguments> windows() {
    return Stream.of(
        Arguments.of("a reranker that works", slices(MANY, WORKS, WORKS, WORKS), null),
        Arguments.of("one that hangs", slices(MANY, HANGS, HANGS, HANGS), "lasting"),
        Arguments.of("for two windows", slices(MANY, HANGS, HANGS), "not yet"),
        Arguments.of("but not before", slices(MANY, WORKS, HANGS, HANGS), "not yet"),
        Arguments.of("and since long", slices(MANY, WORKS, HANGS, HANGS, HANGS), "lasting"),
        Arguments.of("until just now", slices(MANY, HANGS, HANGS, HANGS, WORKS), null),
        Arguments.of("with too few calls in a slice", slices(20, twelve(HANGS)), "not yet"),
        Arguments.of("with a gap between", without(1, slices(MANY, four(HANGS))), "not yet"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("windows")
  void a_stage_that_hangs_is_to_be_skipped_once_three_windows_in_a_row_say_so(
      String what, List<WindowSlice> slices, @Nullable String expected) {
    LadderAdvice advice = advise(budget(List.of("rerank")), slices);

    if (expected == null) {
      assertThat(advice).isNull();
    } else {
      assertThat(advice).isNotNull();
      assertThat(advice.rung()).isEqualTo(Rung.STAGE);
      assertThat(advice.name()).isEqualTo("rerank");
      assertThat(advice.lasting()).isEqualTo(expected.equals("lasting"));
    }
  }

  @Test
  void it_says_what_is_had_with_the_stage_and_without_it_and_that_nearly_all_calls_are_cut() {
    LadderAdvice advice = advise(budget(List.of("rerank")), slices(MANY, HANGS, HANGS, HANGS));

    assertThat(advice.whole().full()).isZero();
    assertThat(advice.less().miss()).isLessThan(advice.whole().miss() / 2);
    assertThat(advice.message())
        .matches(
            "skip rerank: 0.0 % of the answers are full with it and \\d+\\.\\d % are missed; "
                + "without it \\d+\\.\\d % are missed; at its best cap 100.0 % of its calls are "
                + "cut: scale its backend, or remove it");
  }

  @Test
  void a_level_that_skips_more_is_the_one_to_start_at_where_that_saves_more() {
    Map<String, Laws> both = new HashMap<>(laws(HANGS));
    both.put("rewrite", HANGS);
    both.put("generate", Laws.lognormal(2.3, 0.15));
    LadderAdvice advice =
        round(
                budget(List.of("rewrite", "rerank")),
                slices(MANY, List.of(both, both, both)),
                policy(Map.of()))
            .advice();

    assertThat(advice.rung()).isEqualTo(Rung.LEVEL);
    assertThat(advice.name()).isEqualTo("fast");
    assertThat(advice.lasting()).isTrue();
    assertThat(advice.message())
        .startsWith("start at level fast: 0.0 % of the answers are full from level full and ")
        .contains("; from fast ")
        .doesNotContain("cut");
  }

  @Test
  void where_the_caps_may_move_far_enough_nothing_is_to_be_left_out() {
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>(policy().capRanges());
    ranges.put("rerank", new RebalancePolicy.CapRange(ms(10), ms(700)));

    assertThat(
            round(budget(List.of("rerank")), slices(MANY, HANGS, HANGS, HANGS), policy(ranges))
                .advice())
        .isNull();
  }

  @Test
  void in_a_loop_that_moves_caps_it_comes_with_the_third_window_and_goes_when_the_stage_is_back() {
    JourneyBudget budget = budget(List.of("rerank"));
    SimulatedPods pods = new SimulatedPods(5);
    Deque<WindowSlice> window = new ArrayDeque<>();
    PastMoves moves = PastMoves.NONE;
    Instant now = NOW;
    StringBuilder seen = new StringBuilder();
    for (int w = 0; w < 14; w++) {
      now = now.plus(INTERVAL);
      Laws rerank = w >= 4 && w < 9 ? HANGS : WORKS;
      window.addLast(pods.run(budget, world(laws(rerank)), MANY, now, INTERVAL));
      if (window.size() > 6) {
        window.removeFirst();
      }
      RebalanceDecision decision = decide(budget, List.copyOf(window), policy(), moves, now);
      LadderAdvice advice = decision.figures().forecasts().advice();
      seen.append(advice == null ? '-' : advice.lasting() ? '!' : '?');
      if (decision instanceof RebalanceDecision.Move move) {
        moves = moves.with(now, move, policy());
        budget = CapChange.carriedOut(budget, move.changes());
      }
    }

    assertThat(seen.toString()).isEqualTo("----??!!!-----");
  }

  @Test
  void it_is_there_in_every_mode_and_with_either_rule() {
    for (RebalancePolicy.Mode mode : RebalancePolicy.Mode.values()) {
      for (RebalancePolicy.Rule rule : RebalancePolicy.Rule.values()) {
        LadderAdvice advice =
            round(
                    budget(List.of("rerank")),
                    slices(MANY, HANGS, HANGS, HANGS),
                    policy(mode, rule, policy().capRanges()))
                .advice();
        assertThat(advice).as("%s, %s", mode, rule).isNotNull();
      }
    }
  }

  @Test
  void a_journey_without_a_stage_is_forecast_as_one_that_never_had_it() {
    JourneyBudget budget = budget(List.of("rerank"));
    List<StageBudget> others = new ArrayList<>(budget.stages());
    int rerank = 2;
    others.remove(rerank);
    JourneyBudget never = budget.withStages(others);
    QualitySearch search = search(budget, HANGS);
    QualitySearch searchNever = search(never, HANGS);

    double miss = Outlook.of(search.model().without(rerank), search.inForce())[0].forecast().miss();

    assertThat(miss)
        .isCloseTo(searchNever.forecast(searchNever.inForce()).miss(), within(1e-9))
        .isCloseTo(simulatedMiss(never), within(0.015));
    Replay.Gain gain =
        search
            .replay()
            .gainOfLess(
                search.inForce(),
                Replay.of(search.model().without(rerank)),
                search.inForce(),
                0,
                search.objective().price());
    Forecast whole = search.forecast(search.inForce());
    assertThat(gain.mean())
        .isCloseTo(3 * (whole.miss() - miss) - whole.full(), within(0.05))
        .isPositive();
  }

  private static double simulatedMiss(JourneyBudget budget) {
    Map<String, Laws> laws = new HashMap<>(laws(HANGS));
    laws.keySet().retainAll(budget.stages().stream().map(StageBudget::name).toList());
    return new SimulatedPods(4)
            .run(budget, world(laws), 20_000, NOW, INTERVAL)
            .answers()
            .getOrDefault("static", 0.0)
        / 20_000;
  }

  private static QualitySearch search(JourneyBudget budget, Laws rerank) {
    return new QualitySearch(budget, policy(), evidence(budget, rerank, 1e9));
  }

  /** The true laws, as if so many calls had told them. */
  static Evidence evidence(JourneyBudget budget, Laws rerank, double calls) {
    return evidence(budget, laws(rerank), calls);
  }

  static Evidence evidence(JourneyBudget budget, Map<String, Laws> of, double calls) {
    Grid grid = QualitySearch.fine(budget);
    Map<String, CellLaw> laws = new HashMap<>();
    of.forEach((stage, law) -> laws.put(stage, law.on(grid)));
    return new Evidence(laws, Map.of(), Map.of(), List.of(), calls, false);
  }

  private static LadderAdvice advise(JourneyBudget budget, List<WindowSlice> slices) {
    return round(budget, slices, policy()).advice();
  }

  private static Forecasts round(
      JourneyBudget budget, List<WindowSlice> slices, RebalancePolicy policy) {
    RebalanceDecision decision = decide(budget, slices, policy, PastMoves.NONE, NOW);
    assertThat(decision.figures().forecasts()).as(decision.message()).isNotNull();
    return decision.figures().forecasts();
  }

  private static RebalanceDecision decide(
      JourneyBudget budget,
      List<WindowSlice> slices,
      RebalancePolicy policy,
      PastMoves moves,
      Instant now) {
    LatencyReading reading = Journeys.reading(slices.toArray(WindowSlice[]::new));
    return Rebalancer.decide(new RebalanceInput(budget, policy, reading, ID, moves, now));
  }

  static JourneyBudget budget(List<String> skippedByFast) {
    return BudgetDraft.of("3s")
        .reserve("0s")
        .stages(
            StageDraft.rewrite().cap("400ms"),
            StageDraft.search().cap("600ms"),
            StageDraft.rerank().cap("700ms"),
            StageDraft.generate().floor("600ms"))
        .level("full", "0s", List.of())
        .level("fast", "0s", skippedByFast)
        .budget();
  }

  static Map<String, Laws> laws(Laws rerank) {
    return Map.of(
        "rewrite", Laws.lognormal(0.18, 0.3),
        "search", Laws.lognormal(0.2, 0.3),
        "rerank", rerank,
        "generate", Laws.lognormal(1.8, 0.15));
  }

  static Map<String, Law> world(Map<String, Laws> laws) {
    Map<String, Law> world = new HashMap<>();
    laws.forEach((stage, law) -> world.put(stage, law.law()));
    return world;
  }

  static Laws[] four(Laws law) {
    return new Laws[] {law, law, law, law};
  }

  private static Laws[] twelve(Laws law) {
    return Stream.generate(() -> law).limit(12).toArray(Laws[]::new);
  }

  private static List<WindowSlice> without(int index, List<WindowSlice> slices) {
    List<WindowSlice> left = new ArrayList<>(slices);
    left.remove(index);
    left.remove(0);
    left.addFirst(slices.getFirst());
    return left;
  }

  /** One slice for each law of rerank, the last one until now. */
  private static List<WindowSlice> slices(int journeys, Laws... rerank) {
    return slices(journeys, Stream.of(rerank).map(LadderAdviceTest::laws).toList());
  }

  private static List<WindowSlice> slices(int journeys, List<Map<String, Laws>> laws) {
    return slices(budget(List.of("rerank")), journeys, laws);
  }

  static List<WindowSlice> slices(
      JourneyBudget budget, int journeys, List<Map<String, Laws>> laws) {
    SimulatedPods pods = new SimulatedPods(9);
    List<WindowSlice> slices = new ArrayList<>();
    for (int i = 0; i < laws.size(); i++) {
      Instant to = NOW.minus(INTERVAL.multipliedBy(laws.size() - 1 - i));
      slices.add(pods.run(budget, world(laws.get(i)), journeys, to, INTERVAL));
    }
    return slices;
  }

  static RebalancePolicy policy() {
    return policy(
        Map.of(
            "rewrite", new RebalancePolicy.CapRange(ms(10), ms(2400)),
            "search", new RebalancePolicy.CapRange(ms(10), ms(2400))));
  }

  static RebalancePolicy policy(Map<String, RebalancePolicy.CapRange> ranges) {
    return policy(RebalancePolicy.Mode.AUTO, RebalancePolicy.Rule.MAX_QUALITY, ranges);
  }

  static RebalancePolicy policy(
      RebalancePolicy.Mode mode,
      RebalancePolicy.Rule rule,
      Map<String, RebalancePolicy.CapRange> ranges) {
    return new RebalancePolicy(
        mode,
        rule,
        INTERVAL,
        INTERVAL.multipliedBy(12),
        0.2,
        100,
        0.5,
        0.2,
        0.05,
        INTERVAL,
        0.01,
        ranges);
  }
}
