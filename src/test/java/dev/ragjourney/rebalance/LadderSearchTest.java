package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ms;
import static dev.ragjourney.rebalance.LadderAdviceTest.HANGS;
import static dev.ragjourney.rebalance.LadderAdviceTest.budget;
import static dev.ragjourney.rebalance.LadderAdviceTest.evidence;
import static dev.ragjourney.rebalance.LadderAdviceTest.laws;
import static dev.ragjourney.rebalance.LadderAdviceTest.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.JourneyBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far leaving something out must be better, and than what. Laws are the true ones. */
class LadderSearchTest {
  @Test
  void what_could_be_chance_is_no_advice() {
    assertThat(trueLaws(1e9)).isPresent();
    assertThat(trueLaws(2)).isEmpty();
  }

  @Test
  void what_saves_less_than_a_fifth_of_a_point_is_no_advice_however_sure_it_is() {
    double fast = 1;
    double slow = 1.8;
    for (int halving = 0; halving < 14; halving++) {
      double middle = (fast + slow) / 2;
      if (model(middle).isPresent()) {
        slow = middle;
      } else {
        fast = middle;
      }
    }

    LadderAdvice least = model(slow).orElseThrow();
    Objective objective = Objective.missing(0.01);
    assertThat(objective.worth(least.less()) - objective.worth(least.whole()))
        .as("of the fastest model with which there is advice")
        .isBetween(0.002, 0.003);
  }

  /** Of a model with such a median. */
  private static Optional<LadderAdvice> model(double median) {
    Map<String, Laws> laws = new HashMap<>(laws(HANGS));
    laws.put("generate", Laws.lognormal(median, 0.15));
    JourneyBudget budget = budget(List.of("rerank"));
    return advise(budget, policy(), evidence(budget, laws, 1e12));
  }

  @Test
  void what_is_compared_with_is_no_worse_than_with_the_optional_stages_nearly_skipped() {
    JourneyBudget budget =
        CapChange.carriedOut(
            budget(List.of("rerank")),
            List.of(
                new CapChange("rewrite", ms(400), ms(550), ""),
                new CapChange("search", ms(600), ms(1232), ""),
                new CapChange("rerank", ms(700), ms(518), "")));
    Map<String, Laws> laws =
        Map.of(
            "rewrite", Laws.lognormal(1.284, 0.299),
            "search", Laws.lognormal(0.1123, 0.11),
            "rerank", Laws.lognormal(0.214, 0.425).or(0.756, 20, 0.2),
            "generate", Laws.lognormal(1.442, 0.458));
    RebalancePolicy policy =
        policy(
            Map.of(
                "rewrite", new RebalancePolicy.CapRange(ms(143), ms(2111)),
                "search", new RebalancePolicy.CapRange(ms(36), ms(1800)),
                "rerank", new RebalancePolicy.CapRange(ms(43), ms(456))));
    Evidence evidence = evidence(budget, laws, 1e9);
    QualitySearch search = new QualitySearch(budget, policy, evidence);
    Ascent ascent = new Ascent(search.model(), search.objective());
    Settings lowest = search.best();
    for (int stage : new int[] {0, 2}) {
      lowest = lowest.withCap(stage, search.model().stages().get(stage).caps().lowest());
    }
    double nearlySkipped = search.objective().worth(ascent.forecast(ascent.polished(lowest)));

    LadderAdvice advice = advise(budget, policy, evidence).orElseThrow();

    assertThat(search.objective().worth(ascent.forecast(ascent.polished(search.best()))))
        .as("climbed on from the best that the search finds")
        .isLessThan(nearlySkipped - 0.002);
    assertThat(search.objective().worth(advice.whole()))
        .isGreaterThanOrEqualTo(nearlySkipped - 1e-9);
  }

  private static Optional<LadderAdvice> trueLaws(double calls) {
    JourneyBudget budget = budget(List.of("rerank"));
    return advise(budget, policy(), evidence(budget, HANGS, calls));
  }

  private static Optional<LadderAdvice> advise(
      JourneyBudget budget, RebalancePolicy policy, Evidence evidence) {
    Slices none = new Slices(List.of(), List.of(), null, null, Map.of());
    QualitySearch search = new QualitySearch(budget, policy, evidence);
    return LadderSearch.advise(budget, policy, none, evidence, search);
  }
}
