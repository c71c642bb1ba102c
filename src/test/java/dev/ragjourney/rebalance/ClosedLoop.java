package dev.ragjourney.rebalance;

import static dev.ragjourney.rebalance.Journeys.ID;
import static dev.ragjourney.rebalance.Journeys.INTERVAL;
import static dev.ragjourney.rebalance.Journeys.LAYOUT;
import static dev.ragjourney.rebalance.Journeys.NOW;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pods and operator on a clock of intervals: journeys run under the caps in force, are counted in
 * buckets, and a round decides after each interval. A required stage that is cut ends its journey.
 */
final class ClosedLoop {
  private final Random random;
  private final RebalancePolicy policy;
  private final int journeysPerInterval;
  private final Map<String, ToDoubleFunction<Random>> laws;
  private final Deque<WindowSlice> window = new ArrayDeque<>();
  private JourneyBudget budget;
  private Instant now = NOW;
  private PastMoves moves = PastMoves.NONE;

  /** What one interval brought. */
  record Interval(
      RebalanceDecision decision, Map<String, Duration> before, Map<String, Duration> after) {}

  /**
   * @param laws seconds that a stage takes, by stage
   */
  ClosedLoop(
      long seed,
      JourneyBudget budget,
      RebalancePolicy policy,
      int journeysPerInterval,
      Map<String, ToDoubleFunction<Random>> laws) {
    this.random = new Random(seed);
    this.budget = budget;
    this.policy = policy;
    this.journeysPerInterval = journeysPerInterval;
    this.laws = new HashMap<>(laws);
  }

  static ToDoubleFunction<Random> lognormal(double median, double sigma) {
    return random -> median * Math.exp(sigma * random.nextGaussian());
  }

  void becomes(String stage, ToDoubleFunction<Random> law) {
    laws.put(stage, law);
  }

  List<Interval> run(int intervals) {
    List<Interval> result = new ArrayList<>();
    for (int i = 0; i < intervals; i++) {
      result.add(interval());
    }
    return result;
  }

  private Interval interval() {
    Map<String, Counts> counts = new HashMap<>();
    budget.stages().forEach(stage -> counts.put(stage.name(), new Counts()));
    for (int i = 0; i < journeysPerInterval; i++) {
      journey(counts);
    }
    now = now.plus(INTERVAL);
    window.addLast(
        new WindowSlice(
            now.minus(INTERVAL),
            now,
            budget.stages().stream()
                .collect(
                    Collectors.toMap(
                        StageBudget::name, stage -> counts.get(stage.name()).window(stage.cap()))),
            Map.of(),
            Map.of(),
            Map.of(),
            LatencyHistogram.EMPTY,
            LatencyHistogram.EMPTY,
            List.of()));
    if (window.size() > policy.window().dividedBy(INTERVAL)) {
      window.removeFirst();
    }
    Map<String, Duration> before = caps();
    RebalanceDecision decision =
        Rebalancer.decide(
            new RebalanceInput(
                budget,
                policy,
                Journeys.reading(window.toArray(WindowSlice[]::new)),
                ID,
                moves,
                now));
    if (decision instanceof RebalanceDecision.Move move) {
      moves = moves.with(now, move, policy);
      budget = CapChange.carriedOut(budget, move.changes());
    }
    return new Interval(decision, before, caps());
  }

  private void journey(Map<String, Counts> counts) {
    double total = Seconds.of(budget.total());
    double reserve = Seconds.of(budget.reserve());
    double clock = 0;
    for (StageBudget stage : budget.stages()) {
      boolean generate = stage.type() == StageType.GENERATE;
      double floor = generate ? 0 : 1.2;
      double cap = stage.cap() == null ? Double.POSITIVE_INFINITY : Seconds.of(stage.cap());
      double left = total - clock - reserve - floor;
      Counts stageCounts = counts.get(stage.name());
      if (left < 0.005) {
        stageCounts.skipped++;
        if (!stage.optional()) {
          return;
        }
        continue;
      }
      double latency = laws.get(stage.name()).applyAsDouble(random);
      double allowance = Math.min(cap, left);
      stageCounts.started++;
      if (latency <= allowance) {
        add(stageCounts.completed, latency);
      } else {
        add(cap <= left ? stageCounts.capCut : stageCounts.deadlineCut, allowance + 0.0005);
        if (!stage.optional()) {
          return;
        }
      }
      clock += Math.min(latency, allowance);
    }
  }

  Map<String, Duration> caps() {
    Map<String, Duration> caps = new HashMap<>();
    for (StageBudget stage : budget.stages()) {
      if (stage.cap() != null) {
        caps.put(stage.name(), stage.cap());
      }
    }
    return caps;
  }

  private static void add(double[] counts, double seconds) {
    int bucket = 0;
    while (bucket < LAYOUT.size() && seconds > LAYOUT.get(bucket)) {
      bucket++;
    }
    counts[bucket]++;
  }

  private static final class Counts {
    private final double[] completed = new double[LAYOUT.size() + 1];
    private final double[] capCut = new double[LAYOUT.size() + 1];
    private final double[] deadlineCut = new double[LAYOUT.size() + 1];
    private double started;
    private double skipped;

    StageWindow window(@Nullable Duration cap) {
      return new StageWindow(
          started,
          histogram(completed),
          histogram(capCut),
          histogram(deadlineCut),
          LatencyHistogram.EMPTY,
          0,
          Map.of("no_time", skipped),
          cap == null ? null : new StageWindow.CapSpan(cap, cap));
    }

    private static LatencyHistogram histogram(double[] counts) {
      return new LatencyHistogram(LAYOUT, Arrays.stream(counts).boxed().toList());
    }
  }
}
