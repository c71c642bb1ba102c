package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.ms;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Rounds over simulated pods. What settings are worth is computed from the true laws, so that no
 * figure here is luck.
 */
final class QualityLoop {
  static final Duration INTERVAL = Duration.ofMinutes(5);
  static final int WINDOWS = 50;
  static final Objective OBJECTIVE = Objective.missing(0.01);

  private static final Map<String, Laws> FALLBACKS =
      Map.of(
          "embed", Laws.lognormal(0.015, 0.2),
          "search", Laws.lognormal(0.06, 0.3),
          "generate", Laws.lognormal(0.35, 0.35));

  private static final Map<JourneyKey, Forecast> OPTIMA = new HashMap<>();

  private record JourneyKey(Map<String, Laws> laws) {}

  private QualityLoop() {}

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

  /** Who moves the caps. */
  enum Mover {
    STATIC,
    NO_CAPS,
    P95_HEADROOM,
    MAX_QUALITY,
    OPTIMUM
  }

  /**
   * @param worth of each window's settings
   * @param errors of the predicted share of full answers, by window
   */
  record Run(List<Forecast> windows, List<Double> errors, int writes, JourneyBudget last) {
    double full() {
      return windows.stream().mapToDouble(Forecast::full).average().orElse(0) * 100;
    }

    double miss() {
      return windows.stream().mapToDouble(Forecast::miss).average().orElse(0) * 100;
    }

    double worth() {
      return windows.stream().mapToDouble(OBJECTIVE::worth).average().orElse(0) * 100;
    }

    double worth(int from, int to) {
      return windows.subList(from, to).stream().mapToDouble(OBJECTIVE::worth).average().orElse(0)
          * 100;
    }

    /** The most windows after a shift until its worth is within 1.5 points of where it ends. */
    int recovery() {
      int most = 0;
      for (int shift = 10; shift < WINDOWS; shift += 10) {
        double settled = worth(shift + 7, shift + 10);
        int windows = 0;
        while (windows < 10 && OBJECTIVE.worth(windows(shift + windows)) * 100 < settled - 1.5) {
          windows++;
        }
        most = Math.max(most, windows);
      }
      return most;
    }

    private Forecast windows(int window) {
      return windows.get(window);
    }

    double error() {
      return errors.stream().mapToDouble(Double::doubleValue).average().orElse(0) * 100;
    }
  }

  static Run run(Mover mover, IntFunction<Map<String, Laws>> world, int journeys, long seed) {
    RebalancePolicy policy = policy(mover);
    Random random = new Random(seed);
    JourneyBudget budget = mover == Mover.NO_CAPS ? withoutCaps(seed()) : seed();
    Deque<WindowSlice> window = new ArrayDeque<>();
    List<Forecast> worth = new ArrayList<>();
    List<Double> errors = new ArrayList<>();
    Instant now = Journeys.NOW;
    PastMoves moves = PastMoves.NONE;
    int writes = 0;
    for (int w = 0; w < WINDOWS; w++) {
      Map<String, Laws> laws = world.apply(w);
      worth.add(mover == Mover.OPTIMUM ? optimum(laws) : forecast(budget, laws));
      if (mover != Mover.P95_HEADROOM && mover != Mover.MAX_QUALITY) {
        continue;
      }
      now = now.plus(INTERVAL);
      window.addLast(new Pods(random, laws, FALLBACKS).run(budget, journeys, now, INTERVAL));
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
      Forecasts forecasts = decision.figures().forecasts();
      if (forecasts != null) {
        errors.add(Math.abs(forecasts.inForce().full() - worth.getLast().full()));
      }
      if (decision instanceof RebalanceDecision.Move move) {
        writes++;
        moves = moves.with(now, move, policy);
        budget = CapChange.carriedOut(budget, move.changes());
      }
    }
    return new Run(worth, errors, writes, budget);
  }

  static Forecast forecast(JourneyBudget budget, Map<String, Laws> laws) {
    QualitySearch search = search(budget, laws);
    return search.forecast(search.onGrid().settings(budget));
  }

  static Forecast simulated(JourneyBudget budget, Map<String, Laws> laws, int journeys) {
    Map<String, Double> answers =
        new Pods(new Random(3), laws, FALLBACKS)
            .run(budget, journeys, Journeys.NOW, INTERVAL)
            .answers();
    return new Forecast(
        answers.getOrDefault("full", 0.0) / journeys,
        answers.getOrDefault("static", 0.0) / journeys);
  }

  private static Forecast optimum(Map<String, Laws> laws) {
    return OPTIMA.computeIfAbsent(
        new JourneyKey(laws),
        _ -> {
          QualitySearch search = search(seed(), laws);
          JourneyModel model = search.model();
          Ascent ascent = new Ascent(model, OBJECTIVE);
          Settings best = ascent.best(List.of(search.inForce(), Settings.loosest(model)));
          return ascent.forecast(ascent.polished(best));
        });
  }

  static QualitySearch search(JourneyBudget budget, Map<String, Laws> laws) {
    return new QualitySearch(budget, policy(Mover.MAX_QUALITY), evidence(laws, 1e9, false));
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

  /** Slices of so many journeys each, under the seed's caps. */
  static LatencyReading measured(Map<String, Laws> laws, int slices, int journeys) {
    Pods pods = new Pods(new Random(9), laws, FALLBACKS);
    List<WindowSlice> window = new ArrayList<>();
    for (int i = slices - 1; i >= 0; i--) {
      Instant to = Journeys.NOW.minus(INTERVAL.multipliedBy(i));
      window.add(pods.run(seed(), journeys, to, INTERVAL));
    }
    return Journeys.reading(window.toArray(WindowSlice[]::new));
  }

  private static JourneyBudget withoutCaps(JourneyBudget budget) {
    return budget.withStages(
        budget.stages().stream()
            .map(stage -> stage.cap() == null ? stage : stage.withCap(budget.total()))
            .toList());
  }

  static RebalancePolicy policy(Mover mover) {
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>();
    for (String stage : List.of("rewrite", "embed", "search", "rerank")) {
      ranges.put(stage, new RebalancePolicy.CapRange(ms(10), ms(2400)));
    }
    return new RebalancePolicy(
        RebalancePolicy.Mode.AUTO,
        mover == Mover.P95_HEADROOM
            ? RebalancePolicy.Rule.P95_HEADROOM
            : RebalancePolicy.Rule.MAX_QUALITY,
        INTERVAL,
        INTERVAL.multipliedBy(6),
        0.2,
        100,
        0.5,
        0.2,
        0.05,
        INTERVAL,
        0.01,
        ranges);
  }

  /** The policy of MaxQuality with other ranges and another dead band. */
  static RebalancePolicy with(Map<String, RebalancePolicy.CapRange> ranges, double deadBand) {
    RebalancePolicy policy = policy(Mover.MAX_QUALITY);
    return new RebalancePolicy(
        policy.mode(),
        policy.rule(),
        policy.interval(),
        policy.window(),
        policy.headroom(),
        policy.minSamples(),
        policy.maxStepUp(),
        policy.maxStepDown(),
        deadBand,
        policy.cooldown(),
        policy.missRatio(),
        ranges);
  }
}
