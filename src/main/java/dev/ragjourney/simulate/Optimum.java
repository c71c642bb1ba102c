package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.BestSettings;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * The best settings of an epoch: those that the model of independent stages finds for the known
 * laws, and whatever any mover had, each polished on sampled journeys.
 */
final class Optimum {
  private static final double[] FACTORS = {0.5, 0.8, 0.9, 1.1, 1.25, 2};
  private static final int MOST_PASSES = 2;

  /** A hold-back that is tried where there is none, as a part of the total. */
  private static final int FIRST_HOLD = 20;

  private static final long ROUND_TO = 1_000_000;

  private final Ground ground;
  private final RebalancePolicy policy;
  private final Set<JourneyBudget> candidates = new LinkedHashSet<>();

  Optimum(Ground ground) {
    this.ground = ground;
    policy = ground.journey().policy();
    candidates.add(modelled());
  }

  /** Settings that somebody had: the optimum is worth no less. */
  void add(JourneyBudget settings) {
    candidates.add(settings);
  }

  Set<JourneyBudget> candidates() {
    return candidates;
  }

  /** Looks around the best candidate. */
  void polish(ToDoubleFunction<JourneyBudget> quick) {
    JourneyBudget best = best(quick);
    double most = quick.applyAsDouble(best);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      double before = most;
      for (int stage = 0; stage < best.stages().size(); stage++) {
        List<JourneyBudget> tried = new ArrayList<>(around(best, stage));
        tried.addAll(stage == 0 ? rungs(best) : List.of());
        for (JourneyBudget near : tried) {
          double worth = quick.applyAsDouble(near);
          if (worth > most) {
            most = worth;
            best = near;
          }
        }
      }
      candidates.add(best);
      if (most <= before) {
        return;
      }
    }
  }

  JourneyBudget best(ToDoubleFunction<JourneyBudget> worth) {
    JourneyBudget best = candidates.iterator().next();
    double most = Double.NEGATIVE_INFINITY;
    for (JourneyBudget candidate : candidates) {
      double value = worth.applyAsDouble(candidate);
      if (value > most) {
        most = value;
        best = candidate;
      }
    }
    return best;
  }

  private List<JourneyBudget> around(JourneyBudget of, int stage) {
    List<JourneyBudget> near = new ArrayList<>();
    StageBudget budget = of.stages().get(stage);
    Duration cap = budget.cap();
    RebalancePolicy.CapRange range = policy.capRanges().get(budget.name());
    if (cap != null && range != null) {
      near.add(with(of, stage, budget.withCap(range.max())));
      for (double factor : FACTORS) {
        Duration moved = times(cap, factor);
        if (moved.compareTo(range.min()) >= 0 && moved.compareTo(range.max()) <= 0) {
          near.add(with(of, stage, budget.withCap(moved)));
        }
      }
    }
    if (stage < of.stages().size() - 1 || budget.fallback() != null) {
      Duration hold = budget.holdBack();
      near.add(with(of, stage, budget.withHoldBack(null)));
      Duration from = hold == null || hold.isZero() ? of.total().dividedBy(FIRST_HOLD) : hold;
      for (double factor : FACTORS) {
        near.add(with(of, stage, budget.withHoldBack(times(from, factor))));
      }
    }
    return near;
  }

  /** Everything, one of the stages that may be left out, or a lower level to begin at. */
  private List<JourneyBudget> rungs(JourneyBudget of) {
    List<JourneyBudget> rungs = new ArrayList<>();
    rungs.add(of.leaving(LeftOut.NOTHING));
    for (StageBudget stage : of.stages()) {
      RebalancePolicy.CapRange range = policy.capRanges().get(stage.name());
      if (stage.optional() && range != null && !range.pinned()) {
        rungs.add(of.leaving(LeftOut.NOTHING.with(stage.name())));
      }
    }
    for (int level = 1; level < of.levels().size(); level++) {
      if (ground.journey().answersFromStages(level)) {
        rungs.add(of.leaving(LeftOut.NOTHING.from(of.levels().get(level).name())));
      }
    }
    return rungs;
  }

  private static Duration times(Duration duration, double factor) {
    return Duration.ofNanos(Math.round(duration.toNanos() * factor / ROUND_TO) * ROUND_TO);
  }

  private static JourneyBudget with(JourneyBudget of, int stage, StageBudget moved) {
    List<StageBudget> stages = new ArrayList<>(of.stages());
    stages.set(stage, moved);
    return of.withStages(stages);
  }

  private JourneyBudget modelled() {
    Map<String, DoubleUnaryOperator> laws = new HashMap<>();
    Map<String, DoubleUnaryOperator> fallbacks = new HashMap<>();
    List<StageBudget> stages = ground.journey().budget().stages();
    for (int s = 0; s < stages.size(); s++) {
      laws.put(stages.get(s).name(), ground.latencies()[s]::withoutAnswerAfter);
      if (stages.get(s).fallback() != null) {
        Latency fallback = ground.latencies()[ground.keys().fallback(s)];
        fallbacks.put(stages.get(s).name(), fallback::withoutAnswerAfter);
      }
    }
    return BestSettings.of(ground.journey().budget(), policy, laws, fallbacks);
  }
}
