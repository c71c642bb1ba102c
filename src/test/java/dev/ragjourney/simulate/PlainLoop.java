package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.simulate.Scenario.Epoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The simulator's run of one mover, the plain rule, with what it decided after each window. */
final class PlainLoop {
  private static final Duration INTERVAL = Duration.ofMinutes(5);

  private final long seed;
  private final SimulatedJourney journey;
  private final int journeys;
  private final TreeMap<Integer, Map<String, Law>> laws = new TreeMap<>();

  /** What one interval brought: caps in force in it, the decision after it, and caps from then. */
  record Interval(
      RebalanceDecision decision, Map<String, Duration> before, Map<String, Duration> after) {}

  PlainLoop(long seed, JourneyBudget budget, int journeys, Map<String, Law> laws) {
    this.seed = seed;
    this.journeys = journeys;
    journey = SimulatedPods.journey(budget, policy());
    this.laws.put(0, laws);
  }

  /** From a window on, and after all that was said before. */
  PlainLoop becomes(int window, String stage, Law law) {
    Map<String, Law> changed = new HashMap<>(laws.lastEntry().getValue());
    changed.put(stage, law);
    laws.put(window, changed);
    return this;
  }

  List<Interval> run(int windows) {
    List<Epoch> epochs = new ArrayList<>();
    laws.forEach((from, of) -> epochs.add(new Epoch(from, journey, journeys, of)));
    Scenario scenario = new Scenario(seed, windows, 0, 0, 0, epochs, Set.of(), null, null);
    // What settings are worth is not asked here, so that one journey to try them on is enough.
    Scores scores = new Scores(seed, 1, 0);
    List<Ground> grounds =
        epochs.stream().map(epoch -> new Ground(scenario, epoch, scores)).toList();
    Traffic traffic = new Traffic(scenario, grounds.getFirst().keys().size());
    MoverRun run = new MoverRun(scenario, Mover.P95_HEADROOM, grounds.getFirst());
    List<Interval> intervals = new ArrayList<>();
    for (int window = 0; window < windows; window++) {
      Ground ground = grounds.get(scenario.epochOf(window));
      JourneyBudget before = run.inForce();
      run.window(window, ground, traffic.window(window, ground.keys(), ground.latencies()));
      intervals.add(new Interval(run.decisions().getLast(), caps(before), caps(run.inForce())));
    }
    return intervals;
  }

  private static Map<String, Duration> caps(JourneyBudget budget) {
    Map<String, Duration> caps = new HashMap<>();
    for (StageBudget stage : budget.stages()) {
      if (stage.cap() != null) {
        caps.put(stage.name(), stage.cap());
      }
    }
    return caps;
  }

  private static RebalancePolicy policy() {
    return new RebalancePolicy(
        RebalancePolicy.Mode.AUTO,
        RebalancePolicy.Rule.P95_HEADROOM,
        INTERVAL,
        INTERVAL.multipliedBy(6),
        0.2,
        100,
        0.5,
        0.2,
        0.05,
        INTERVAL.multipliedBy(2),
        0.01,
        Map.of());
  }
}
