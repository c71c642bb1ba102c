package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.NOW;
import static dev.ragjourney.rebalance.Journeys.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.CapChange.Moved;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One round of the rule, for a journey whose caps cost five points of full answers. */
class MaxQualityTest {
  private static final RebalancePolicy POLICY = Assistant.policy(Rule.MAX_QUALITY);
  private static final double MANY = 10_000;

  @Test
  void caps_that_cost_full_answers_move_one_limited_step() {
    RebalanceDecision.Move move =
        (RebalanceDecision.Move) decide(POLICY, Assistant.measured(Assistant.typical(), 2, 2_000));

    assertThat(move.reason()).isEqualTo(Reasons.REBALANCED);
    assertThat(move.message()).contains("rewrite 400 ms → 600 ms").contains("full answers 8");
    for (CapChange change : move.changes()) {
      if (change.knob() == Moved.CAP) {
        double ratio = (double) change.to().toNanos() / change.from().toNanos();
        assertThat(ratio).as(change.toString()).isBetween(0.8, 1.5);
      } else {
        assertThat(change.to().minus(change.from()).abs()).isLessThanOrEqualTo(ms(200));
      }
      assertThat(change.to().toMillis() % 5).as("%s is a multiple of 5 ms", change).isZero();
      assertThat(change.why()).hasSizeLessThanOrEqualTo(160);
    }
  }

  @Test
  void both_rules_are_forecast_whichever_moves() {
    for (Rule mover : List.of(Rule.MAX_QUALITY, Rule.P95_HEADROOM)) {
      RebalanceDecision decision =
          decide(Assistant.policy(mover), Assistant.measured(Assistant.typical(), 2, 2_000));

      Forecasts forecasts = decision.figures().forecasts();
      assertThat(forecasts).isNotNull();
      assertThat(forecasts.inForce().full()).isCloseTo(0.893, within(0.02));
      assertThat(forecasts.attainable()).isCloseTo(0.959, within(0.015));
      assertThat(forecasts.rules())
          .extracting(Forecasts.OfRule::rule)
          .containsExactly(RebalancePolicy.Rule.P95_HEADROOM, RebalancePolicy.Rule.MAX_QUALITY);
      assertThat(forecasts.rules().get(1).forecast().full())
          .isGreaterThan(forecasts.rules().get(0).forecast().full() + 0.01);
    }
  }

  @Test
  void a_range_ends_the_step_and_a_stage_without_one_is_pinned() {
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>(POLICY.capRanges());
    ranges.put("rewrite", new RebalancePolicy.CapRange(ms(100), ms(450)));
    ranges.remove("rerank");

    MaxQuality.Step step = step(Assistant.with(ranges, POLICY.deadBand()), MANY, false);

    assertThat(cap(step, "rewrite")).isEqualTo(ms(450));
    assertThat(cap(step, "rerank")).isNull();
  }

  @Test
  void after_a_change_of_the_latencies_a_cap_may_double() {
    assertThat(cap(step(POLICY, MANY, false), "rewrite")).isEqualTo(ms(600));
    assertThat(cap(step(POLICY, MANY, true), "rewrite")).isEqualTo(ms(800));
  }

  @Test
  void after_a_change_a_cap_may_also_fall_twice_as_far() {
    Map<String, Laws> oftenHangs = new HashMap<>(Assistant.typical());
    oftenHangs.put("rerank", Laws.lognormal(0.24, 0.5).or(0.3, 60, 0.1));
    JourneyBudget loose =
        CapChange.carriedOut(
            Assistant.seed(), List.of(new CapChange("rerank", ms(700), ms(2000), "")));
    for (boolean drifted : new boolean[] {false, true}) {
      Evidence evidence = Assistant.evidence(oftenHangs, MANY, drifted);
      MaxQuality.Step step = new MaxQuality(loose, POLICY, evidence).step();

      assertThat(cap(step, "rerank")).isEqualTo(drifted ? ms(1200) : ms(1600));
    }
  }

  @Test
  void even_after_a_change_a_cap_loses_no_more_than_half() {
    Map<String, Laws> oftenHangs = new HashMap<>(Assistant.typical());
    oftenHangs.put("rerank", Laws.lognormal(0.24, 0.5).or(0.3, 60, 0.1));
    JourneyBudget loose =
        CapChange.carriedOut(
            Assistant.seed(), List.of(new CapChange("rerank", ms(700), ms(2000), "")));
    RebalancePolicy steep = policy(POLICY.minSamples(), 0.4);

    Evidence evidence = Assistant.evidence(oftenHangs, MANY, true);

    assertThat(cap(new MaxQuality(loose, steep, evidence).step(), "rerank")).isEqualTo(ms(1000));
  }

  @Test
  void a_cap_outside_of_its_range_comes_back_into_it_at_once() {
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>(POLICY.capRanges());
    ranges.put("rewrite", new RebalancePolicy.CapRange(ms(900), ms(2400)));

    MaxQuality.Step step = step(Assistant.with(ranges, POLICY.deadBand()), MANY, false);

    assertThat(cap(step, "rewrite")).isEqualTo(ms(900));
  }

  @Test
  void a_gain_below_a_fifth_of_a_point_is_not_worth_a_move_however_sure_it_is() {
    Map<String, RebalancePolicy.CapRange> rerank =
        Map.of("rerank", POLICY.capRanges().get("rerank"));
    RebalancePolicy policy = Assistant.with(rerank, 0);
    Evidence evidence = Assistant.evidence(Assistant.typical(), 1e12, false);
    int little = 0;
    for (long cap = 600; cap <= 1200; cap += 50) {
      JourneyBudget budget =
          CapChange.carriedOut(
              Assistant.seed(), List.of(new CapChange("rerank", ms(700), ms(cap), "")));
      MaxQuality quality = new MaxQuality(budget, policy, evidence);
      MaxQuality.Step step = quality.step();
      Objective objective = quality.search().objective();
      double gain = objective.worth(step.after()) - objective.worth(step.before());
      if (!step.changes().isEmpty()) {
        assertThat(step.worthIt()).as("%d ms, gain %f", cap, gain).isEqualTo(gain >= 0.002);
        little += gain > 0 && gain < 0.002 ? 1 : 0;
      }
    }
    assertThat(little).as("steps that gain less").isPositive();
  }

  @Test
  void where_some_stages_law_is_not_known_the_caps_stay() {
    LatencyReading one = Assistant.measured(Assistant.typical(), 1, 1);

    RebalanceDecision decision = decide(policy(1, POLICY.maxStepDown()), one);

    assertThat(decision).isInstanceOf(RebalanceDecision.Hold.class);
    assertThat(decision.reason()).isEqualTo(Reasons.TOO_FEW_SAMPLES);
    assertThat(decision.message()).endsWith(Rebalancer.NO_LAW);
  }

  private static RebalancePolicy policy(int minSamples, double maxStepDown) {
    return new RebalancePolicy(
        POLICY.mode(),
        POLICY.rule(),
        POLICY.interval(),
        POLICY.window(),
        POLICY.headroom(),
        minSamples,
        POLICY.maxStepUp(),
        maxStepDown,
        POLICY.deadBand(),
        POLICY.cooldown(),
        POLICY.missRatio(),
        POLICY.capRanges());
  }

  @Test
  void while_one_stage_hangs_no_other_loses_most_of_its_calls() {
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>(POLICY.capRanges());
    ranges.remove("rerank");
    Evidence evidence = Assistant.evidence(rerankHangs(), MANY, false);
    QualitySearch search =
        new QualitySearch(Assistant.seed(), Assistant.with(ranges, POLICY.deadBand()), evidence);

    Settings best = search.best();

    for (String stage : List.of("rewrite", "embed", "search")) {
      int index = Assistant.seed().stages().stream().map(StageBudget::name).toList().indexOf(stage);
      assertThat(search.model().stages().get(index).law().longer(best.cap(index)))
          .as("share of %s that is cut", stage)
          .isLessThanOrEqualTo(0.25);
    }
  }

  private static Map<String, Laws> rerankHangs() {
    Map<String, Laws> laws = new HashMap<>(Assistant.typical());
    laws.put("rerank", Laws.lognormal(60, 0.1));
    return laws;
  }

  @Test
  void a_gain_within_two_standard_errors_is_not_worth_a_move() {
    assertThat(step(POLICY, MANY, false).worthIt()).isTrue();
    assertThat(step(POLICY, 40, false).worthIt()).isFalse();
  }

  @Test
  void changes_within_the_dead_band_are_not_worth_a_move() {
    assertThat(step(Assistant.with(POLICY.capRanges(), 0.6), MANY, false).worthIt()).isFalse();
  }

  @Test
  void far_too_many_missed_answers_need_less_proof() {
    Map<String, Laws> slow = Assistant.drift(20);
    for (boolean enough : new boolean[] {true, false}) {
      Evidence evidence = Assistant.evidence(slow, enough ? 40 : 4, false);
      MaxQuality.Step step = new MaxQuality(Assistant.seed(), POLICY, evidence).step();

      assertThat(step.before().miss()).isGreaterThan(0.02);
      assertThat(step.after().miss()).isLessThan(step.before().miss());
      assertThat(step.worthIt()).isEqualTo(enough);
    }
  }

  @Test
  void the_best_settings_stay() {
    QualitySearch search = Assistant.search(Assistant.seed(), Assistant.typical());
    JourneyBudget budget = Assistant.seed();
    for (int i = 0; i < 12; i++) {
      MaxQuality.Step step =
          new MaxQuality(budget, POLICY, Assistant.evidence(Assistant.typical(), MANY, false))
              .step();
      budget = step.worthIt() ? CapChange.carriedOut(budget, step.changes()) : budget;
    }
    MaxQuality.Step last =
        new MaxQuality(budget, POLICY, Assistant.evidence(Assistant.typical(), MANY, false)).step();

    assertThat(last.worthIt()).isFalse();
    assertThat(search.objective().worth(last.before()))
        .isGreaterThan(search.objective().worth(search.forecast(search.best())) - 0.005);
  }

  @Test
  void after_a_move_caps_cool_down() {
    LatencyReading reading = Assistant.measured(Assistant.typical(), 2, 2_000);
    Instant justNow = NOW.minus(Assistant.INTERVAL).plusSeconds(1);

    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                Assistant.seed(), POLICY, reading, ID, PastMoves.madeAt(justNow), NOW));

    assertThat(decision.reason()).isEqualTo(Reasons.COOLING_DOWN);
  }

  @Test
  void calls_under_any_cap_count_and_too_few_hold() {
    assertThat(decide(POLICY, Assistant.measured(Assistant.typical(), 1, 60)).reason())
        .isEqualTo(Reasons.TOO_FEW_SAMPLES);
    assertThat(decide(POLICY, Assistant.measured(Assistant.typical(), 3, 60)).reason())
        .isNotEqualTo(Reasons.TOO_FEW_SAMPLES);
    JourneyBudget moved =
        CapChange.carriedOut(
            Assistant.seed(), List.of(new CapChange("search", ms(1000), ms(900), "why")));
    LatencyReading before = Assistant.measured(Assistant.typical(), 2, 2_000);
    assertThat(decide(moved, POLICY, before).reason()).isEqualTo(Reasons.REBALANCED);
    assertThat(decide(moved, Assistant.policy(Rule.P95_HEADROOM), before).reason())
        .isEqualTo(Reasons.TOO_FEW_SAMPLES);
  }

  @Test
  void the_stage_that_costs_the_full_answers_is_named_with_what_would_buy_them_back() {
    Forecasts forecasts =
        decide(POLICY, Assistant.measured(Assistant.drift(20), 2, 2_000)).figures().forecasts();

    assertThat(forecasts).isNotNull();
    assertThat(forecasts.costliestStage()).isEqualTo("generate");
    assertThat(forecasts.remedy())
        .matches(
            "generate 1\\.3 × faster: \\+\\d+\\.\\d points of full answers; "
                + "budget \\+ 200 ms: \\+\\d+\\.\\d points");
  }

  private static RebalanceDecision decide(RebalancePolicy policy, LatencyReading reading) {
    return decide(Assistant.seed(), policy, reading);
  }

  private static RebalanceDecision decide(
      JourneyBudget budget, RebalancePolicy policy, LatencyReading reading) {
    return Rebalancer.decide(new RebalanceInput(budget, policy, reading, ID, PastMoves.NONE, NOW));
  }

  private static MaxQuality.Step step(RebalancePolicy policy, double calls, boolean drifted) {
    Evidence evidence = Assistant.evidence(Assistant.typical(), calls, drifted);
    return new MaxQuality(Assistant.seed(), policy, evidence).step();
  }

  private static Duration cap(MaxQuality.Step step, String stage) {
    return step.changes().stream()
        .filter(change -> change.stage().equals(stage) && change.knob() == Moved.CAP)
        .map(CapChange::to)
        .findFirst()
        .orElse(null);
  }
}
