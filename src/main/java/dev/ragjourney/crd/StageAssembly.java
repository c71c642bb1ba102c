package dev.ragjourney.crd;

import dev.ragjourney.budget.BreakerBudget;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.crd.parsed.ParsedBackend;
import dev.ragjourney.crd.spec.BackoffSpec;
import dev.ragjourney.crd.spec.BreakerSpec;
import dev.ragjourney.crd.spec.CapRangeSpec;
import dev.ragjourney.crd.spec.ExpectedLatency;
import dev.ragjourney.crd.spec.HedgeSpec;
import dev.ragjourney.crd.spec.RetrySpec;
import dev.ragjourney.crd.spec.StageFallbackSpec;
import dev.ragjourney.crd.spec.StageSpec;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The times of one stage with their defaults resolved.
 *
 * @param spec as it was given
 * @param defaults of the journey's total
 * @param estimate the cap of a Tool about whose time nothing is said
 * @param rankerTime the least cap with which its backend's ranker is asked; zero where it has none
 */
record StageAssembly(StageSpec spec, Defaults defaults, Duration estimate, Duration rankerTime) {
  private static final double SAME_BACKEND_RATIO = 0.1;
  private static final double RETRY_RATIO = 0.2;
  private static final double HEDGE_RATIO = 0.05;
  private static final int HEDGES = 4;
  private static final double BREAKER_RATIO = 0.5;
  private static final int BREAKER_WINDOW = 20;
  private static final Duration PROBE_AFTER = Duration.ofSeconds(10);
  private static final Duration BACKOFF_MIN = Duration.ofMillis(50);
  private static final Duration BACKOFF_MAX = Duration.ofMillis(200);

  String name() {
    return Values.given(spec.name());
  }

  StageType type() {
    return DefaultStages.type(spec);
  }

  boolean generates() {
    return type() == StageType.GENERATE;
  }

  boolean optional() {
    return Values.isTrue(spec.optional());
  }

  String backend() {
    return spec.backend() == null ? ParsedBackend.EMBEDDED : spec.backend();
  }

  /** Declared, else the expected p50, else Generate's share; never above a declared cap. */
  Duration floor() {
    if (spec.floor() != null) {
      return Values.duration(spec.floor(), Duration.ZERO);
    }
    Duration expected = expectedP50();
    Duration floor =
        expected != null ? expected : generates() ? defaults.generateFloor() : Duration.ZERO;
    Duration cap = Values.duration(spec.cap());
    return cap == null ? floor : Values.min(floor, cap);
  }

  /**
   * Declared, else the expected p95 + 20 %, else the type's share or a Tool's estimate, and enough
   * for a ranker; a default stays within the declared range and below what the reserve and
   * Generate's floor leave.
   */
  @Nullable Duration cap(Duration mostForCaps) {
    Duration declared = Values.duration(spec.cap());
    if (declared != null || generates()) {
      return declared;
    }
    Duration expected = expectedP95();
    Duration cap =
        expected == null
            ? type() == StageType.TOOL ? estimate : Values.given(defaults.cap(type()))
            : Duration.ofMillis(Math.ceilDiv(expected.toMillis() * 6, 5));
    cap = Values.min(Values.max(cap, rankerTime), mostForCaps);
    CapRangeSpec range = spec.capRange();
    if (range != null) {
      cap = Values.max(cap, Values.duration(range.min(), cap));
      cap = Values.min(cap, Values.duration(range.max(), cap));
    }
    return Values.max(cap, floor());
  }

  /** Null for a stage whose cap rebalancing does not set. */
  @Nullable CapRange capRange(Duration mostForCaps) {
    Duration cap = cap(mostForCaps);
    if (cap == null) {
      return null;
    }
    CapRangeSpec range = spec.capRange() == null ? new CapRangeSpec(null, null) : spec.capRange();
    Duration lowest = Values.max(Values.max(cap.dividedBy(4), Defaults.LOWEST_CAP), rankerTime);
    Duration highest = Values.min(cap.multipliedBy(4), mostForCaps);
    return new CapRange(
        Values.duration(range.min(), Values.min(wholeMillis(lowest), cap)),
        Values.duration(range.max(), Values.max(highest, cap)));
  }

  StageBudget budget(Duration mostForCaps) {
    Duration cap = cap(mostForCaps);
    return new StageBudget(
        name(),
        type(),
        optional(),
        spec.parallel(),
        cap,
        cap,
        floor(),
        null,
        expectedP50(),
        expectedP95(),
        Values.duration(spec.degradeAfter()),
        defaults.minUseful(),
        fallback(spec.fallback()),
        retry(spec.retry()),
        hedge(spec.hedge()),
        breaker(spec.breaker()));
  }

  private @Nullable FallbackBudget fallback(@Nullable StageFallbackSpec fallback) {
    if (fallback == null) {
      return null;
    }
    boolean same = fallback.backend() == null || fallback.backend().equals(backend());
    return new FallbackBudget(
        Values.duration(fallback.cap(), defaults.fallbackCap()),
        Values.duration(fallback.minRemaining(), defaults.fallbackMinRemaining()),
        Values.share(fallback.maxRatio(), same ? SAME_BACKEND_RATIO : 1),
        Values.isTrue(fallback.cancelPrimary()));
  }

  private static @Nullable RetryBudget retry(@Nullable RetrySpec retry) {
    if (retry == null) {
      return null;
    }
    BackoffSpec backoff = retry.backoff() == null ? new BackoffSpec(null, null) : retry.backoff();
    Duration longest =
        Values.duration(
            backoff.max(), Values.max(BACKOFF_MAX, Values.duration(backoff.min(), BACKOFF_MAX)));
    return new RetryBudget(
        Values.list(retry.attemptCaps()).stream()
            .map(cap -> Values.duration(cap, Duration.ZERO))
            .toList(),
        Values.duration(backoff.min(), Values.min(BACKOFF_MIN, longest)),
        longest,
        Values.share(retry.maxRatio(), RETRY_RATIO));
  }

  private static @Nullable HedgeBudget hedge(@Nullable HedgeSpec hedge) {
    return hedge == null
        ? null
        : new HedgeBudget(
            Values.duration(hedge.after(), Duration.ZERO),
            hedge.maxConcurrent() == null ? HEDGES : hedge.maxConcurrent(),
            Values.share(hedge.maxRatio(), HEDGE_RATIO));
  }

  private static @Nullable BreakerBudget breaker(@Nullable BreakerSpec breaker) {
    return breaker == null
        ? null
        : new BreakerBudget(
            Values.share(breaker.slowRatio(), BREAKER_RATIO),
            Values.share(breaker.errorRatio(), BREAKER_RATIO),
            breaker.window() == null ? BREAKER_WINDOW : breaker.window(),
            Values.duration(breaker.probeAfter(), PROBE_AFTER));
  }

  private @Nullable Duration expectedP50() {
    ExpectedLatency expected = spec.expected();
    return expected == null ? null : Values.duration(expected.p50());
  }

  private @Nullable Duration expectedP95() {
    ExpectedLatency expected = spec.expected();
    return expected == null ? null : Values.duration(expected.p95());
  }

  private static Duration wholeMillis(Duration duration) {
    return Duration.ofMillis(duration.toMillis());
  }
}
