package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.LadderAdviceTest.four;
import static dev.ragjourney.rebalance.LadderAdviceTest.laws;
import static dev.ragjourney.rebalance.LadderAdviceTest.world;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.rebalance.PastMoves.Expected;
import dev.ragjourney.rebalance.PastMoves.Made;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import dev.ragjourney.rebalance.RebalancePolicy.Mode;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import dev.ragjourney.simulate.SimulatedPods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Three seconds, a slow model, and a reranker that may hang at a cap which comes down a little. */
class LadderStepTest {
  private static final int MANY = 2_000;
  private static final Laws HANGS = Laws.lognormal(20, 0.2);
  private static final Laws WORKS = Laws.lognormal(0.1, 0.3);
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(1));
  private static final LadderChange OUT = LadderChange.leavingOut("rerank", "");

  private Mode mode = Mode.AUTO;
  private Rule rule = Rule.MAX_QUALITY;
  private Duration cooldown = INTERVAL;
  private int perHour = 6;
  private Duration window = INTERVAL.multipliedBy(12);
  private Map<String, CapRange> ranges = ranges("650ms");
  private PastMoves moves = PastMoves.madeAt(LONG_AGO);
  private boolean paused;

  @Test
  void lasting_advice_is_carried_out_with_its_figures() {
    RebalanceDecision.Move move = moved(decide(whole(), slices(MANY, HANGS, HANGS, HANGS)));

    assertThat(move.reason()).isEqualTo(Reasons.REBALANCED);
    assertThat(move.ladder()).isNotNull();
    assertThat(move.ladder().text()).isEqualTo("rerank is left out");
    assertThat(move.changes()).as("one thing at a time").isEmpty();
    assertThat(move.message())
        .matches(
            "rerank is left out; full answers 0\\.0 % → 0\\.0 %, missed \\d+\\.\\d % → \\d+\\.\\d"
                + " %");
    assertThat(move.expected().gain()).isPositive();
    assertThat(move.carriedOut(whole()).leaves()).isEqualTo(LeftOut.NOTHING.with("rerank"));
  }

  @Test
  void lasting_advice_to_begin_at_a_lower_level_is_carried_out_with_its_figures() {
    Map<String, Laws> both = new HashMap<>(laws(HANGS));
    both.put("rewrite", HANGS);
    both.put("generate", Laws.lognormal(2.3, 0.15));
    JourneyBudget budget = LadderAdviceTest.budget(List.of("rewrite", "rerank"));
    ranges = Map.of();

    RebalanceDecision.Move move =
        moved(decide(budget, LadderAdviceTest.slices(budget, MANY, List.of(both, both, both))));

    assertThat(move.ladder()).isNotNull();
    assertThat(move.ladder().text()).isEqualTo("journeys begin at level fast and not at full");
    assertThat(move.changes()).as("one thing at a time").isEmpty();
    assertThat(move.message()).startsWith("journeys begin at level fast and not at full; full");
    assertThat(move.expected().gain()).isPositive();
    assertThat(move.carriedOut(budget).leaves()).isEqualTo(LeftOut.NOTHING.from("fast"));
    assertThat(move.carriedOut(budget).startLevel()).isEqualTo(1);
  }

  static Stream<Arguments> guards() {
    return Stream.of(
        guard("two windows", t -> {}, MANY, 2, "", ""),
        guard("a pinned stage", t -> t.ranges = ranges("700ms"), MANY, 3, "", "its cap is pinned"),
        guard("a stage without a range", t -> t.ranges = Map.of(), MANY, 3, "", "cap is pinned"),
        guard(
            "too few questions for trials",
            t -> t.window = INTERVAL.multipliedBy(3),
            300,
            3,
            "",
            ""),
        guard("the plain rule", t -> t.rule = Rule.P95_HEADROOM, MANY, 3, "", ""),
        guard("mode Recommend", t -> t.mode = Mode.RECOMMEND, MANY, 3, Reasons.RECOMMENDING, OUT_),
        guard("mode Disabled", t -> t.mode = Mode.DISABLED, MANY, 3, Reasons.DISABLED, ""),
        guard("a pause", t -> t.paused = true, MANY, 3, Reasons.PAUSED, "it would: " + OUT_),
        guard("the cooldown", t -> t.lastMoved(1), MANY, 3, Reasons.COOLING_DOWN, ""),
        guard("moves an hour", t -> t.threeMoves(), MANY, 3, Reasons.MAX_MOVES_PER_HOUR, ""));
  }

  private static final String OUT_ = "rerank is left out";

  private interface Change {
    void of(LadderStepTest test);
  }

  private static Arguments guard(
      String what, Change change, int journeys, int windows, String reason, String message) {
    return Arguments.of(what, change, journeys, windows, reason, message);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("guards")
  void it_is_not_carried_out_for(
      String what, Change change, int journeys, int windows, String reason, String message) {
    change.of(this);
    Laws[] hangs = Stream.generate(() -> HANGS).limit(windows).toArray(Laws[]::new);

    RebalanceDecision decision = decide(whole(), slices(journeys, hangs));

    assertThat(decision instanceof RebalanceDecision.Move move && move.ladder() != null)
        .as(decision.message())
        .isFalse();
    assertThat(decision.figures().forecasts().advice().lasting()).isEqualTo(windows > 2);
    assertThat(decision.reason()).contains(reason);
    assertThat(decision.message()).contains(message);
  }

  private void lastMoved(int minutesAgo) {
    moves = PastMoves.madeAt(NOW.minus(Duration.ofMinutes(minutesAgo)));
  }

  private void threeMoves() {
    perHour = 3;
    moves =
        new PastMoves(
            new Made(NOW.minus(Duration.ofMinutes(30)), false, List.of(), null),
            Stream.of(30, 40, 50).map(m -> NOW.minus(Duration.ofMinutes(m))).toList(),
            null,
            Map.of());
  }

  @Test
  void the_first_move_of_a_journey_waits_for_a_cold_start_here_too() {
    moves = PastMoves.NONE;
    window = INTERVAL.multipliedBy(300);
    RebalanceDecision decision = decide(whole(), slices(60, HANGS, HANGS, HANGS));

    assertThat(decision.figures().forecasts().advice().lasting()).isTrue();
    assertThat(decision.reason()).isEqualTo(Reasons.COLD_START);
  }

  @Test
  void what_is_left_out_comes_back_when_the_journeys_on_trial_say_that_it_works() {
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(4)));
    RebalanceDecision.Move move = moved(decide(without(), slices(without(), MANY, four(WORKS))));

    assertThat(move.ladder().text()).isEqualTo("rerank runs again");
    assertThat(move.carriedOut(without()).leaves()).isEqualTo(LeftOut.NOTHING);
    assertThat(move.message()).contains("rerank runs again", "full answers 0.0 % → ");
    assertThat(move.expected().gain()).isGreaterThan(0.3);
  }

  @Test
  void it_stays_out_while_it_hangs_and_the_forecast_of_the_answers_is_honest() {
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(4)));
    RebalanceDecision decision = decide(without(), slices(without(), MANY, four(HANGS)));

    assertThat(ladder(decision)).isNull();
    assertThat(decision.figures().forecasts().inForce().full()).isZero();
    assertThat(decision.figures().forecasts().inForce().miss()).isBetween(0.005, 0.3);
    assertThat(decision.figures().forecasts().advice()).as("the advice still holds").isNotNull();

    decision = decide(without(), slices(without(), MANY, four(WORKS)));
    assertThat(decision.figures().forecasts().inForce().full())
        .as("one journey in twenty is on trial and may be full")
        .isBetween(0.02, 0.05);
    assertThat(decision.figures().forecasts().attainable())
        .as("of the journey with everything in it")
        .isGreaterThan(0.5);
  }

  @Test
  void it_does_not_come_back_from_fewer_trials_than_a_judgement_needs() {
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(4)));
    RebalanceDecision decision = decide(without(), slices(without(), 400, four(WORKS)));

    assertThat(ladder(decision)).isNull();
    assertThat(decision.message())
        .contains("waits for the 100 calls of journeys on trial that judge whether rerank runs");
  }

  @Test
  void what_nobody_measures_any_more_comes_back_after_a_whole_window() {
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(12)));
    Laws[] twelve = Stream.generate(() -> HANGS).limit(12).toArray(Laws[]::new);
    List<WindowSlice> slices = slices(without(), 200, twelve);
    assertThat(ladder(decide(without(), slices)).text()).isEqualTo("rerank runs again");
    assertThat(ladder(decide(without(), slices)).why()).contains("fewer than 100 calls");

    assertThat(ladder(decide(without(), slices.subList(1, 12)))).as("not before").isNull();
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(11)));
    assertThat(ladder(decide(without(), slices))).as("of a window since the last move").isNull();
  }

  @Test
  void journeys_climb_back_one_level_at_a_time() {
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(4)));
    JourneyBudget low = whole().leaving(LeftOut.NOTHING.from("fast"));
    LadderChange change = ladder(decide(low, slices(low, MANY, four(WORKS))));
    assertThat(change.text()).isEqualTo("journeys begin at level full and not at fast");
    assertThat(change.carriedOut(low)).isEqualTo(whole());

    JourneyBudget lower = whole().leaving(LeftOut.NOTHING.from("minimal"));
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(12)));
    Laws[] twelve = Stream.generate(() -> HANGS).limit(12).toArray(Laws[]::new);
    change = ladder(decide(lower, slices(lower, 200, twelve)));
    assertThat(change.text()).isEqualTo("journeys begin at level fast and not at minimal");
  }

  @Test
  void what_did_harm_is_taken_back_and_the_cooldown_doubles() {
    Instant at = NOW.minus(INTERVAL.multipliedBy(4));
    moves =
        new PastMoves(
            new Made(at, false, List.of(), OUT, new Expected(0.2, 0.01)),
            List.of(at),
            null,
            Map.of());
    cooldown = INTERVAL.multipliedBy(5);
    RebalanceDecision.Move move = moved(decide(without(), slices(without(), MANY, four(WORKS))));

    assertThat(move.reason()).as("whatever the cooldown").isEqualTo(Reasons.ROLLED_BACK);
    assertThat(move.ladder().text()).isEqualTo("rerank runs again");
    PastMoves after = moves.with(NOW, move, policy());
    assertThat(after.cooldown()).isEqualTo(cooldown.multipliedBy(2));
    assertThat(after.last().ladder()).isEqualTo(move.ladder());

    assertThat(decide(without(), slices(without(), 400, four(WORKS))).reason())
        .as("too few trials judge nothing")
        .isNotEqualTo(Reasons.ROLLED_BACK);
    moves = moves.withChanged(Map.of("rerank", at.plusSeconds(1)));
    assertThat(decide(without(), slices(without(), MANY, four(WORKS))).reason())
        .as("of another stage since")
        .isNotEqualTo(Reasons.ROLLED_BACK);
  }

  @Test
  void caps_of_what_is_left_go_on_moving() {
    moves = PastMoves.madeAt(NOW.minus(INTERVAL.multipliedBy(4)));
    JourneyBudget tight = whole("250ms").leaving(LeftOut.NOTHING.with("rerank"));
    RebalanceDecision.Move move = moved(decide(tight, slices(tight, MANY, four(HANGS))));

    assertThat(move.ladder()).isNull();
    assertThat(move.changes()).anyMatch(c -> c.stage().equals("search") && c.to().toMillis() > 250);
    assertThat(move.changes())
        .as("the cap of what does not run stays")
        .noneMatch(change -> change.stage().equals("rerank"));
  }

  @Test
  void in_a_loop_a_stage_goes_out_after_three_windows_and_comes_back_when_it_works_again() {
    assertThat(loop(20)).isEqualTo(".......rrrr.........");
  }

  /** In each window: whether rerank is left out; it hangs from window 4 to 9. */
  private String loop(int windows) {
    JourneyBudget budget = whole();
    moves = PastMoves.NONE;
    SimulatedPods pods = new SimulatedPods(5);
    Deque<WindowSlice> slices = new ArrayDeque<>();
    Instant now = NOW;
    StringBuilder seen = new StringBuilder();
    for (int w = 0; w < windows; w++) {
      seen.append(budget.leaves().nothing() ? '.' : 'r');
      now = now.plus(INTERVAL);
      Laws rerank = w >= 4 && w < 10 ? HANGS : WORKS;
      slices.addLast(pods.run(budget, world(laws(rerank)), MANY, now, INTERVAL));
      if (slices.size() > 6) {
        slices.removeFirst();
      }
      RebalanceDecision decision = decide(budget, List.copyOf(slices), now);
      if (decision instanceof RebalanceDecision.Move move) {
        moves = moves.with(now, move, policy());
        budget = move.carriedOut(budget);
      }
    }
    return seen.toString();
  }

  private static RebalanceDecision.Move moved(RebalanceDecision decision) {
    assertThat(decision).as(decision.message()).isInstanceOf(RebalanceDecision.Move.class);
    return (RebalanceDecision.Move) decision;
  }

  private static LadderChange ladder(RebalanceDecision decision) {
    return decision instanceof RebalanceDecision.Move move ? move.ladder() : null;
  }

  private RebalanceDecision decide(JourneyBudget budget, List<WindowSlice> slices) {
    return decide(budget, slices, NOW);
  }

  private RebalanceDecision decide(JourneyBudget budget, List<WindowSlice> slices, Instant now) {
    LatencyReading reading = Journeys.reading(slices.toArray(WindowSlice[]::new));
    return Rebalancer.decide(new RebalanceInput(budget, policy(), reading, ID, moves, paused, now));
  }

  private RebalancePolicy policy() {
    return new RebalancePolicy(
        mode, rule, INTERVAL, window, 0.2, 100, 0.5, 0.2, 0.05, cooldown, perHour, 0.01, ranges);
  }

  private static Map<String, CapRange> ranges(String rerankMin) {
    return Map.of(
        "rewrite", new CapRange(ms(10), ms(2400)),
        "search", new CapRange(ms(10), ms(2400)),
        "rerank", new CapRange(Durations.parse(rerankMin), ms(700)));
  }

  private static JourneyBudget whole() {
    return whole("600ms");
  }

  private static JourneyBudget whole(String searchCap) {
    return BudgetDraft.of("3s")
        .reserve("0s")
        .stages(
            StageDraft.rewrite().cap("400ms"),
            StageDraft.search().cap(searchCap),
            StageDraft.rerank().cap("700ms"),
            StageDraft.generate().floor("600ms"))
        .level("full", "0s", List.of())
        .level("fast", "0s", List.of("rerank"))
        .level("minimal", "0s", List.of("rewrite", "rerank"))
        .budget();
  }

  private static JourneyBudget without() {
    return whole().leaving(LeftOut.NOTHING.with("rerank"));
  }

  private static List<WindowSlice> slices(int journeys, Laws... rerank) {
    return slices(whole(), journeys, rerank);
  }

  /** One slice for each law of rerank, the last one until now. */
  private static List<WindowSlice> slices(JourneyBudget budget, int journeys, Laws... rerank) {
    return LadderAdviceTest.slices(
        budget, journeys, Stream.of(rerank).map(LadderAdviceTest::laws).toList());
  }
}
