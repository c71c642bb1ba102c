package dev.ragjourney.rebalance;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Budgets, policies and windows for tests. */
final class Journeys {
  static final JourneyId ID = new JourneyId("shop", "faq");
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final Duration INTERVAL = Duration.ofMinutes(5);
  static final Duration TOTAL = Duration.ofSeconds(3);
  static final List<Double> LAYOUT = LatencyBoundaries.of(TOTAL);

  private static final List<FallbackLevel> LEVELS =
      List.of(
          new FallbackLevel("full", AnswerSource.STAGES, Duration.ZERO, List.of(), List.of()),
          new FallbackLevel("sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()));

  private Journeys() {}

  static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  /** Total 3 s, reserve 50 ms, generate's floor 1200 ms: 1750 ms for all caps. */
  static JourneyBudget budget(StageBudget... stages) {
    List<StageBudget> all = new ArrayList<>(List.of(stages));
    all.add(stage("generate", StageType.GENERATE, false, null, null, ms(1200)));
    return new JourneyBudget(
        TOTAL, CountTo.FIRST_TOKEN, ms(50), ms(200), ms(30_000), ms(300_000), all, LEVELS);
  }

  static StageBudget required(String name, long capMillis) {
    return stage(name, StageType.SEARCH, false, null, ms(capMillis), Duration.ZERO);
  }

  static StageBudget optional(String name, long capMillis) {
    return stage(name, StageType.RERANK, true, null, ms(capMillis), Duration.ZERO);
  }

  static StageBudget stage(
      String name,
      StageType type,
      boolean optional,
      @Nullable String group,
      @Nullable Duration cap,
      Duration floor) {
    return new StageBudget(
        name, type, optional, group, cap, cap, floor, null, null, null, null, ms(5), null, null,
        null, null);
  }

  static RebalancePolicy policy() {
    return policy(RebalancePolicy.Mode.AUTO, Map.of());
  }

  static RebalancePolicy policy(
      RebalancePolicy.Mode mode, Map<String, RebalancePolicy.CapRange> ranges) {
    return new RebalancePolicy(
        mode,
        RebalancePolicy.Rule.P95_HEADROOM,
        INTERVAL,
        Duration.ofMinutes(30),
        0.2,
        100,
        0.5,
        0.2,
        0.05,
        Duration.ofMinutes(10),
        0.01,
        ranges);
  }

  /** The policy with another interval, dead band and cooldown. */
  static RebalancePolicy with(
      RebalancePolicy policy, Duration interval, double deadBand, Duration cooldown) {
    return new RebalancePolicy(
        policy.mode(),
        policy.rule(),
        interval,
        policy.window(),
        policy.headroom(),
        policy.minSamples(),
        policy.maxStepUp(),
        policy.maxStepDown(),
        deadBand,
        cooldown,
        policy.missRatio(),
        policy.capRanges());
  }

  static LatencyHistogram histogram(double... seconds) {
    return histogram(LAYOUT, seconds);
  }

  static LatencyHistogram histogram(List<Double> layout, double... seconds) {
    Double[] counts = new Double[layout.size() + 1];
    Arrays.fill(counts, 0.0);
    for (double value : seconds) {
      int bucket = 0;
      while (bucket < layout.size() && value > layout.get(bucket)) {
        bucket++;
      }
      counts[bucket]++;
    }
    return new LatencyHistogram(layout, List.of(counts));
  }

  /** Calls of which the given ones completed, and so many were cut at the cap. */
  static StageWindow calls(Duration cap, double capCuts, double... completed) {
    double[] cuts = new double[(int) capCuts];
    Arrays.fill(cuts, Seconds.of(cap) + 0.001);
    return new StageWindow(
        completed.length + capCuts,
        histogram(completed),
        histogram(cuts),
        LatencyHistogram.EMPTY,
        LatencyHistogram.EMPTY,
        0,
        Map.of(),
        new StageWindow.CapSpan(cap, cap));
  }

  /** The stages' newest slice, ending now. */
  static WindowSlice slice(Map<String, StageWindow> stages) {
    return slice(NOW, stages);
  }

  static WindowSlice slice(Instant to, Map<String, StageWindow> stages) {
    return new WindowSlice(
        to.minus(INTERVAL),
        to,
        stages,
        Map.of("full", 90.0, "degraded", 8.0, "static", 2.0),
        Map.of("full", 90.0, "fast", 8.0, "sorry", 2.0),
        Map.of("search", 3.0),
        histogram(0.5, 1, 1.5),
        LatencyHistogram.EMPTY,
        List.of());
  }

  static LatencyReading reading(WindowSlice... slices) {
    return new LatencyReading.Measured(Map.of(ID, new JourneyWindow(List.of(slices))));
  }

  static Map<String, StageWindow> with(
      Map<String, StageWindow> stages, String name, StageWindow window) {
    Map<String, StageWindow> copy = new HashMap<>(stages);
    copy.put(name, window);
    return copy;
  }

  static RebalanceInput input(
      JourneyBudget budget, RebalancePolicy policy, LatencyReading reading) {
    return new RebalanceInput(budget, policy, reading, ID, PastMoves.NONE, NOW);
  }

  /** So many values whose quantiles are those of a lognormal law: a sample without luck. */
  static double[] lognormal(int count, double medianSeconds, double sigma) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = medianSeconds * Math.exp(sigma * Normal.quantile((i + 0.5) / count));
    }
    return values;
  }
}
