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
import static dev.ragjourney.rebalance.SoundJourney.decide;
import static dev.ragjourney.rebalance.SoundJourney.errors;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ways in which following a p95 goes wrong, and that the plain rule does not go them. */
class PlainRuleTest {
  @Test
  void caps_that_do_not_fit_shrink_by_however_little() {
    // 1000 + 770 ms of 1750; the search gives a few milliseconds, rerank would need more.
    JourneyBudget tight = budget(required("search", 1_000), optional("rerank", 770));
    Map<String, StageWindow> stages =
        Map.of(
            "search", calls(ms(1_000), 0, lognormal(1000, 0.55, 0.25)),
            "rerank", calls(ms(770), 0, lognormal(1000, 0.44, 0.25)),
            "generate", SOUND.get("generate"));

    RebalanceDecision decision = Rebalancer.decide(input(tight, policy(), reading(slice(stages))));

    assertThat(decision).isInstanceOf(RebalanceDecision.Move.class);
    assertThat(((RebalanceDecision.Move) decision).changes().getLast().to())
        .isBetween(ms(735), ms(769));
  }

  @Test
  void the_lessons_caps_become_p95_plus_a_fifth_one_step_at_a_time() {
    Map<String, Duration> needs =
        Map.of("retrieval", ms(936), "tool", ms(5040), "formatting", ms(144));
    Map<String, Duration> caps =
        Map.of("retrieval", ms(1500), "tool", ms(5500), "formatting", ms(500));
    List<Long> retrieval = new ArrayList<>();
    List<Long> formatting = new ArrayList<>();
    List<Long> tool = new ArrayList<>();
    for (int move = 0; move < 7; move++) {
      List<Demand> demands = new ArrayList<>();
      for (String stage : List.of("retrieval", "tool", "formatting")) {
        demands.add(
            new Demand(
                stage,
                null,
                false,
                false,
                caps.get(stage),
                needs.get(stage),
                ms(10),
                ms(7900),
                true,
                ""));
      }
      caps = P95Headroom.caps(demands, ms(7900), 0.5, 0.2);
      retrieval.add(caps.get("retrieval").toMillis());
      tool.add(caps.get("tool").toMillis());
      formatting.add(caps.get("formatting").toMillis());
    }

    assertThat(retrieval).as("three moves").startsWith(1200L, 960L, 936L, 936L);
    assertThat(tool).as("one move").startsWith(5040L, 5040L);
    assertThat(formatting)
        .as("six moves")
        .containsExactly(400L, 320L, 256L, 205L, 164L, 144L, 144L);
  }

  @Test
  void six_percent_of_cuts_at_the_journeys_time_raise_no_cap_round_after_round() {
    double[] cuts = new double[60];
    Arrays.fill(cuts, 0.25);
    JourneyBudget budget = BUDGET;
    PastMoves moves = PastMoves.NONE;
    Instant now = NOW;
    for (int round = 0; round < 20; round++) {
      Duration cap = cap(budget, "rerank");
      StageWindow rerank =
          new StageWindow(
              1000,
              histogram(lognormal(940, 0.15, 0.15)),
              LatencyHistogram.EMPTY,
              histogram(cuts),
              LatencyHistogram.EMPTY,
              0,
              Map.of(),
              new StageWindow.CapSpan(cap, cap));
      Duration search = cap(budget, "search");
      Map<String, StageWindow> stages =
          Map.of(
              "search", calls(search, 0, lognormal(1000, 0.12, 0.35)),
              "rerank", rerank,
              "generate", SOUND.get("generate"));
      RebalanceDecision decision =
          Rebalancer.decide(
              new RebalanceInput(budget, policy(), reading(slice(now, stages)), ID, moves, now));
      if (decision instanceof RebalanceDecision.Move move) {
        moves = moves.with(now, move, policy());
        budget = CapChange.carriedOut(budget, move.changes());
      }
      now = now.plus(INTERVAL);
      assertThat(cap(budget, "rerank")).isLessThanOrEqualTo(RERANK_CAP);
    }
    assertThat(cap(budget, "search")).as("the loop does move").isLessThan(SEARCH_CAP);
  }

  @Test
  void forty_percent_of_fast_errors_lower_no_cap() {
    StageWindow failing = errors(calls(RERANK_CAP, 0, lognormal(600, 0.1, 0.3)), 400);

    assertThat(decide(reading(slice(with(SOUND, "rerank", failing)))).reason())
        .isEqualTo(Reasons.ERRORS_DOMINATE);
  }

  @Test
  void fast_errors_below_that_are_in_no_p95() {
    StageWindow sound = calls(RERANK_CAP, 0, lognormal(800, 0.2, 0.3));

    assertThat(need(with(SOUND, "rerank", errors(sound, 190))))
        .isEqualTo(need(with(SOUND, "rerank", sound)));
  }

  @Test
  void a_stage_skipped_in_sixty_percent_of_the_journeys_neither_gives_nor_receives() {
    assertThat(moved(skipping(600))).containsExactly("search");
    assertThat(moved(skipping(490))).containsExactly("search", "rerank");
  }

  @Test
  void a_stage_that_a_level_always_skips_does_not_hold_the_others() {
    StageWindow never =
        new StageWindow(
            0,
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            0,
            Map.of("level", 1000.0),
            new StageWindow.CapSpan(RERANK_CAP, RERANK_CAP));

    assertThat(moved(never)).containsExactly("search");
  }

  @Test
  void needs_above_the_total_leave_the_sum_within_the_pool() {
    // Both are cut at their caps and want a fifth more, 1.8 s together; the pool is 1750 ms.
    JourneyBudget wide =
        Journeys.budget(Journeys.required("search", 900), Journeys.optional("rerank", 600));
    Map<String, StageWindow> slow =
        Map.of(
            "search", calls(ms(900), 400, lognormal(600, 0.6, 0.2)),
            "rerank", calls(ms(600), 400, lognormal(600, 0.4, 0.2)),
            "generate", SOUND.get("generate"));
    RebalanceDecision decision =
        Rebalancer.decide(Journeys.input(wide, policy(), reading(slice(slow))));

    JourneyBudget after = CapChange.carriedOut(wide, ((RebalanceDecision.Move) decision).changes());
    assertThat(cap(after, "search").plus(cap(after, "rerank"))).isLessThanOrEqualTo(ms(1750));
    assertThat(((RebalanceDecision.Move) decision).changes())
        .allSatisfy(change -> assertThat(change.why()).endsWith("; ends at the pool"));
  }

  @Test
  void from_five_percent_of_cuts_at_the_cap_on_the_p95_is_above_it() {
    assertThat(p95(49)).isNotNull();
    assertThat(p95(50)).isNull();
    assertThat(p95(51)).isNull();
  }

  private static Duration p95(int cuts) {
    StageWindow rerank = calls(RERANK_CAP, cuts, lognormal(1000 - cuts, 0.2, 0.2));
    return decide(reading(slice(with(SOUND, "rerank", rerank)))).figures().stages().get(1).p95();
  }

  private static Duration need(Map<String, StageWindow> stages) {
    return decide(reading(slice(stages))).figures().stages().get(1).need();
  }

  private static List<String> moved(StageWindow rerank) {
    RebalanceDecision decision = decide(reading(slice(with(SOUND, "rerank", rerank))));
    return ((RebalanceDecision.Move) decision).changes().stream().map(CapChange::stage).toList();
  }

  /** Of 1000 journeys; 12 % of those that start are cut at the cap. */
  private static StageWindow skipping(int skipped) {
    int started = 1000 - skipped;
    int cut = started * 12 / 100;
    double[] cuts = new double[cut];
    Arrays.fill(cuts, 0.301);
    return new StageWindow(
        started,
        histogram(lognormal(started - cut, 0.2, 0.2)),
        histogram(cuts),
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        0,
        Map.of("level", (double) skipped),
        new StageWindow.CapSpan(RERANK_CAP, RERANK_CAP));
  }

  private static Duration cap(JourneyBudget budget, String stage) {
    return budget.stages().stream()
        .filter(each -> each.name().equals(stage))
        .map(StageBudget::cap)
        .findFirst()
        .orElseThrow();
  }
}
