package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.WindowSlice;
import dev.ragjourney.simulate.Scenario.Epoch;
import dev.ragjourney.simulate.SimulatedJourney.Form;
import dev.ragjourney.simulate.SimulatedJourney.StageForms;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What pods would have counted, for tests that need evidence: the simulator's pods, which are the
 * pipeline's own engine. Every stage has one form at all levels.
 */
public final class SimulatedPods {
  private final long seed;
  private int slices;

  /**
   * @param seed of the latencies; two with one seed tell the same
   */
  public SimulatedPods(long seed) {
    this.seed = seed;
  }

  /**
   * The next interval's journeys.
   *
   * @param laws by stage, and {@code NAME.fallback} for the fallback of one that has one
   */
  public WindowSlice run(
      JourneyBudget budget, Map<String, Law> laws, int journeys, Instant to, Duration interval) {
    Epoch epoch = new Epoch(0, journey(budget, policy(interval)), journeys, laws);
    Scenario scenario =
        new Scenario(seed, slices + 1, 0, 0, 0, List.of(epoch), Set.of(), null, null);
    // What settings are worth is not asked here, so that one journey to try them on is enough.
    Ground ground = new Ground(scenario, epoch, new Scores(seed, 1, 0));
    Vectors drawn =
        new Traffic(scenario, ground.keys().size())
            .window(slices, ground.keys(), ground.latencies());
    slices++;
    Counts counts = new Counts(budget);
    ground.travel(budget, drawn, 0, journeys, ground.helps(budget), counts);
    return counts.slice(to, interval, null, List.of());
  }

  /** A journey whose stages have one form each. */
  static SimulatedJourney journey(JourneyBudget budget, RebalancePolicy policy) {
    return new SimulatedJourney(
        budget,
        policy,
        false,
        budget.stages().stream().map(stage -> forms(stage, budget.levels().size())).toList());
  }

  private static StageForms forms(StageBudget stage, int levels) {
    Form own = new Form(stage.name(), false, true);
    Form fallback =
        stage.fallback() == null ? null : new Form(stage.name() + "-fallback", false, false);
    return new StageForms(Collections.nCopies(levels, own), fallback);
  }

  /** One that asks for no move: only the interval counts. */
  private static RebalancePolicy policy(Duration interval) {
    return new RebalancePolicy(
        RebalancePolicy.Mode.DISABLED,
        RebalancePolicy.Rule.P95_HEADROOM,
        interval,
        interval,
        0,
        1,
        0,
        0,
        0,
        interval,
        0,
        Map.of());
  }
}
