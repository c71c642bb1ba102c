package dev.ragjourney.crd;

import dev.ragjourney.crd.spec.MaxStepSpec;
import dev.ragjourney.crd.spec.RebalanceSpec;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rebalance section with its defaults resolved. */
final class RebalanceAssembly {
  static final double MAX_STEP_DOWN = 0.2;
  private static final double MAX_STEP_UP = 0.5;
  private static final double DEAD_BAND = 0.05;
  private static final int MIN_SAMPLES = 100;
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final Duration COOLDOWN = Duration.ofMinutes(10);
  private static final RebalanceSpec NOTHING_GIVEN =
      new RebalanceSpec(null, null, null, null, null, null, null, null, null, null, null);

  private RebalanceAssembly() {}

  static RebalancePolicy assemble(
      @Nullable RebalanceSpec given,
      double missRatio,
      Map<String, RebalancePolicy.CapRange> capRanges) {
    RebalanceSpec spec = given == null ? NOTHING_GIVEN : given;
    MaxStepSpec step = spec.maxStep() == null ? new MaxStepSpec(null, null) : spec.maxStep();
    return new RebalancePolicy(
        labelled(
            RebalancePolicy.Mode.values(),
            RebalancePolicy.Mode::label,
            spec.mode(),
            RebalancePolicy.Mode.AUTO),
        labelled(
            RebalancePolicy.Rule.values(),
            RebalancePolicy.Rule::label,
            spec.rule(),
            RebalancePolicy.Rule.P95_HEADROOM),
        interval(spec),
        window(spec),
        Values.share(spec.headroom(), Defaults.HEADROOM),
        spec.minSamples() == null ? MIN_SAMPLES : spec.minSamples(),
        Values.share(step.up(), MAX_STEP_UP),
        Values.share(step.down(), MAX_STEP_DOWN),
        Values.share(spec.deadBand(), DEAD_BAND),
        cooldown(spec),
        spec.maxMovesPerHour() == null
            ? RebalancePolicy.movesPerHour(cooldown(spec))
            : spec.maxMovesPerHour(),
        missRatio,
        capRanges);
  }

  /** What pods let go on to learn from does not depend on whether caps move. */
  static double lateSampling(@Nullable RebalanceSpec spec) {
    return Values.share(spec == null ? null : spec.lateSampling(), Defaults.LATE_SAMPLED);
  }

  static Duration interval(RebalanceSpec spec) {
    return Values.duration(spec.interval(), INTERVAL);
  }

  /** A window shorter than the interval would miss calls. */
  static Duration window(RebalanceSpec spec) {
    return Values.duration(spec.window(), Values.max(WINDOW, interval(spec)));
  }

  static Duration cooldown(RebalanceSpec spec) {
    return Values.duration(spec.cooldown(), COOLDOWN);
  }

  static <E> E labelled(
      E[] values, Function<E, String> label, @Nullable String given, E otherwise) {
    return given == null
        ? otherwise
        : Arrays.stream(values)
            .filter(value -> label.apply(value).equals(given))
            .findFirst()
            .orElseThrow();
  }
}
