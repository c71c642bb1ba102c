package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.JourneyId;
import dev.ragjourney.rebalance.JourneyWindow;
import dev.ragjourney.rebalance.LatencyReading;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalanceInput;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.Rebalancer;
import dev.ragjourney.rebalance.WindowSlice;
import dev.ragjourney.simulate.Scenario.Rollout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One mover's pods and rounds, window by window. */
final class MoverRun {
  private static final JourneyId ID = new JourneyId("simulated", "journey");
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final Scenario scenario;
  private final Mover mover;
  private final Deque<WindowSlice> slices = new ArrayDeque<>();
  private final List<MoverResult.Hold> holds = new ArrayList<>();
  private final List<@Nullable Double> predicted = new ArrayList<>();
  private final List<Worth> worths = new ArrayList<>();
  private final List<JourneyBudget> settings = new ArrayList<>();
  private final List<RebalanceDecision> decisions = new ArrayList<>();
  private SimulatedJourney journey;
  private JourneyBudget inForce;
  private JourneyBudget before;
  private Helps helps;
  private PastMoves moves = PastMoves.NONE;
  private int lastMoveWindow = Integer.MIN_VALUE / 2;
  private int writes;

  MoverRun(Scenario scenario, Mover mover, Ground first) {
    this.scenario = scenario;
    this.mover = mover;
    journey = first.journey();
    inForce = mover.start(journey.budget());
    before = inForce;
    helps = first.helps(inForce);
  }

  Mover mover() {
    return mover;
  }

  List<Worth> worths() {
    return worths;
  }

  List<JourneyBudget> settings() {
    return settings;
  }

  /** In force after the last window. */
  JourneyBudget inForce() {
    return inForce;
  }

  /** One after each window; none of a mover that decides nothing. */
  List<RebalanceDecision> decisions() {
    return decisions;
  }

  /** Lets a window pass: the pods run, and where a rule moves the caps it decides after it. */
  void window(int window, Ground ground, Vectors traffic) {
    if (!ground.journey().equals(journey)) {
      edit(ground, BEGIN.plus(journey.policy().interval().multipliedBy(window)));
    }
    settings.add(inForce);
    Rollout rollout = scenario.rollout();
    double share =
        rollout != null && window - lastMoveWindow <= rollout.windows() ? rollout.share() : 0;
    worths.add(worth(ground, traffic, share));
    predicted.add(null);
    mover.rule().ifPresent(rule -> round(window, ground, traffic, rule, share));
  }

  private Worth worth(Ground ground, Vectors traffic, double share) {
    if (traffic.journeys() == 0) {
      return Worth.UNKNOWN;
    }
    Worth now = worth(ground, traffic, inForce);
    return share > 0 ? now.mixed(worth(ground, traffic, before), share) : now;
  }

  private Worth worth(Ground ground, Vectors traffic, JourneyBudget of) {
    return scenario.hasMemory() ? ground.happened(of, traffic) : ground.expected(of);
  }

  private void edit(Ground ground, Instant at) {
    moves = Moves.remembered(moves, journey.budget(), ground.journey().budget(), at);
    inForce =
        mover.rule().isPresent()
            ? Moves.edited(journey.budget(), inForce, ground.journey().budget())
            : mover.start(ground.journey().budget());
    journey = ground.journey();
    before = inForce;
    helps = ground.helps(inForce);
  }

  private void round(
      int window, Ground ground, Vectors traffic, RebalancePolicy.Rule rule, double share) {
    RebalancePolicy policy = automatic(journey.policy(), rule);
    Duration interval = policy.interval();
    Instant now = BEGIN.plus(interval.multipliedBy(window + 1L));
    WindowSlice slice = slice(window, now, ground, traffic, share);
    slices.addLast(mover == Mover.P95_SUCCESSES_ONLY ? Moves.successesOnly(slice) : slice);
    while (!slices.getFirst().to().isAfter(now.minus(policy.window()))) {
      slices.removeFirst();
    }
    Instant seen = now.minus(interval.multipliedBy(scenario.late()));
    List<WindowSlice> visible =
        slices.stream().filter(measured -> !measured.to().isAfter(seen)).toList();
    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                inForce,
                policy,
                new LatencyReading.Measured(Map.of(ID, new JourneyWindow(visible))),
                ID,
                moves,
                now));
    decisions.add(decision);
    Forecasts forecasts = decision.figures().forecasts();
    if (forecasts != null) {
      predicted.set(window, forecasts.inForce().full());
    }
    if (decision instanceof RebalanceDecision.Move move) {
      writes++;
      moves = moves.with(now, move, policy);
      lastMoveWindow = window;
      before = inForce;
      inForce = move.carriedOut(inForce);
    } else {
      holds.add(new MoverResult.Hold(window, decision.reason(), decision.message()));
    }
  }

  private WindowSlice slice(int window, Instant to, Ground ground, Vectors traffic, double share) {
    Counts counts = new Counts(inForce);
    int old = (int) Math.round(share * traffic.journeys());
    ground.travel(before, traffic, 0, old, helps, counts);
    Helps fresh = scenario.hasMemory() ? ground.helps(inForce) : helps;
    ground.travel(inForce, traffic, old, traffic.journeys(), fresh, counts);
    List<WindowSlice.Defect> defects =
        scenario.counterResets().contains(window)
            ? List.of(new WindowSlice.Defect(Reasons.COUNTER_RESET, "a count went backwards"))
            : List.of();
    return counts.slice(to, journey.policy().interval(), old > 0 ? before : null, defects);
  }

  private static RebalancePolicy automatic(RebalancePolicy policy, RebalancePolicy.Rule rule) {
    return new RebalancePolicy(
        RebalancePolicy.Mode.AUTO,
        rule,
        policy.interval(),
        policy.window(),
        policy.headroom(),
        policy.minSamples(),
        policy.maxStepUp(),
        policy.maxStepDown(),
        policy.deadBand(),
        policy.cooldown(),
        policy.maxMovesPerHour(),
        policy.missRatio(),
        policy.capRanges());
  }

  MoverResult result() {
    return Fold.of(scenario, mover, settings, worths, predicted, writes, holds);
  }
}
