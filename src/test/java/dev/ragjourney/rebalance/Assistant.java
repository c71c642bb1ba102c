package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ms;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import dev.ragjourney.simulate.Law;
import dev.ragjourney.simulate.SimulatedPods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The journey of the example scenarios, its latencies as laws and as what pods counted of them. */
final class Assistant {
  static final Duration INTERVAL = Duration.ofMinutes(5);

  private static final Map<String, Laws> FALLBACKS =
      Map.of(
          "embed", Laws.lognormal(0.015, 0.2),
          "search", Laws.lognormal(0.06, 0.3),
          "generate", Laws.lognormal(0.35, 0.35));

  private Assistant() {}

  /** Three seconds: 400, 100, 1000 and 700 ms, 600 ms kept for generate, 400 for its fallback. */
  static JourneyBudget seed() {
    return BudgetDraft.of("3s")
        .reserve("0s")
        .stages(
            StageDraft.rewrite().cap("400ms"),
            StageDraft.stage("embed", StageType.EMBED).cap("100ms").fallback("100ms", "0s"),
            StageDraft.search().cap("1s").fallback("200ms", "0s"),
            StageDraft.rerank().cap("700ms"),
            StageDraft.generate().floor("600ms").fallback("400ms", "0s"))
        .level("full", "0s", List.of())
        .level(
            "fast", "0s", List.of("rewrite", "rerank"), BudgetDraft.at("generate", null, "300ms"))
        .budget();
  }

  static Map<String, Laws> fallbacks() {
    return FALLBACKS;
  }

  static Map<String, Laws> typical() {
    Map<String, Laws> laws = new HashMap<>();
    laws.put("rewrite", Laws.lognormal(0.18, 0.45));
    laws.put("embed", Laws.lognormal(0.035, 0.35));
    laws.put("search", Laws.lognormal(0.26, 0.45).or(0.04, 1.4, 0.3));
    laws.put("rerank", Laws.lognormal(0.24, 0.5));
    laws.put("generate", Laws.lognormal(0.95, 0.4));
    return laws;
  }

  /** Search twice as slow, the model 35 % slower, rewrite and rerank 2.2 times, then hangs. */
  static Map<String, Laws> drift(int window) {
    Map<String, Laws> laws = typical();
    if (window >= 40) {
      laws.put("rerank", Laws.lognormal(0.24, 0.5).or(0.06, 20, 0.2));
      laws.put("search", Laws.lognormal(0.26, 0.45).or(0.04, 1.4, 0.3).or(0.02, 20, 0.2));
    } else if (window >= 30) {
      laws.put("rewrite", Laws.lognormal(0.40, 0.45));
      laws.put("rerank", Laws.lognormal(0.56, 0.45));
    } else if (window >= 20) {
      laws.put("generate", Laws.lognormal(1.29, 0.4));
    } else if (window >= 10) {
      laws.put("search", Laws.lognormal(0.52, 0.45).or(0.04, 2.2, 0.3));
    }
    return laws;
  }

  static Forecast forecast(JourneyBudget budget, Map<String, Laws> laws) {
    QualitySearch search = search(budget, laws);
    return search.forecast(search.onGrid().settings(budget));
  }

  static QualitySearch search(JourneyBudget budget, Map<String, Laws> laws) {
    return new QualitySearch(budget, policy(Rule.MAX_QUALITY), evidence(laws, 1e9, false));
  }

  /** The true laws, as if so many calls had told them. */
  static Evidence evidence(Map<String, Laws> laws, double calls, boolean drifted) {
    Grid grid = QualitySearch.fine(seed());
    Map<String, CellLaw> own = new HashMap<>();
    laws.forEach((stage, law) -> own.put(stage, law.on(grid)));
    Map<String, CellLaw> fallbacks = new HashMap<>();
    FALLBACKS.forEach((stage, law) -> fallbacks.put(stage, law.on(grid)));
    return new Evidence(own, fallbacks, Map.of(), List.of(), calls, drifted);
  }

  /** The laws of the stages' calls and of their fallbacks', for pods. */
  static Map<String, Law> world(Map<String, Laws> laws) {
    Map<String, Law> world = new HashMap<>();
    laws.forEach((stage, law) -> world.put(stage, law.law()));
    FALLBACKS.forEach((stage, law) -> world.put(stage + ".fallback", law.law()));
    return world;
  }

  /** What pods with these settings counted in the last slices until some time, oldest first. */
  static List<WindowSlice> slices(
      JourneyBudget budget, Map<String, Laws> laws, Instant to, int count, int journeys) {
    SimulatedPods pods = new SimulatedPods(9);
    List<WindowSlice> slices = new ArrayList<>();
    for (int i = count - 1; i >= 0; i--) {
      Instant end = to.minus(INTERVAL.multipliedBy(i));
      slices.add(pods.run(budget, world(laws), journeys, end, INTERVAL));
    }
    return slices;
  }

  /** Slices of so many journeys each, under the seed's caps. */
  static LatencyReading measured(Map<String, Laws> laws, int slices, int journeys) {
    return Journeys.reading(
        slices(seed(), laws, Journeys.NOW, slices, journeys).toArray(WindowSlice[]::new));
  }

  static RebalancePolicy policy(Rule rule) {
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>();
    for (String stage : List.of("rewrite", "embed", "search", "rerank")) {
      ranges.put(stage, new RebalancePolicy.CapRange(ms(10), ms(2400)));
    }
    return policy(rule, ranges, 0.05);
  }

  /** The policy of MaxQuality with other ranges and another dead band. */
  static RebalancePolicy with(Map<String, RebalancePolicy.CapRange> ranges, double deadBand) {
    return policy(Rule.MAX_QUALITY, ranges, deadBand);
  }

  private static RebalancePolicy policy(
      Rule rule, Map<String, RebalancePolicy.CapRange> ranges, double deadBand) {
    return new RebalancePolicy(
        RebalancePolicy.Mode.AUTO,
        rule,
        INTERVAL,
        INTERVAL.multipliedBy(6),
        0.2,
        100,
        0.5,
        0.2,
        deadBand,
        INTERVAL,
        0.01,
        ranges);
  }
}
