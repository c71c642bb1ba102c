package dev.ragjourney.pipeline;

import dev.ragjourney.budget.BreakerBudget;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a stage's backend alone while too many of its calls are slow or fail. Open for {@code
 * probeAfter}; then a few calls probe, and it closes or opens again by what became of them.
 */
final class Breaker {
  /** Calls that probe before it is decided again. */
  static final int PROBES = 3;

  /** What became of a call that was let through. */
  enum Verdict {
    GOOD,
    /** Cut at its cap, or beaten by its fallback. */
    SLOW,
    FAILED,
    /** Says nothing of the backend: the caller left, or earlier stages had used the time up. */
    NOT_COUNTED
  }

  private static final Duration SLOW_FROM = Duration.ofSeconds(1);

  private final BreakerBudget budget;
  private final CircuitBreaker circuit;
  private final Exception failure = new FailedCall();

  private Breaker(BreakerBudget budget, MonotonicTime time) {
    this.budget = budget;
    circuit =
        CircuitBreaker.of(
            "breaker",
            CircuitBreakerConfig.custom()
                .slidingWindow(
                    budget.window(),
                    budget.window(),
                    CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                .failureRateThreshold((float) (budget.errorRatio() * 100))
                .slowCallRateThreshold((float) (budget.slowRatio() * 100))
                .slowCallDurationThreshold(SLOW_FROM)
                .waitDurationInOpenState(budget.probeAfter())
                .permittedNumberOfCallsInHalfOpenState(Math.min(PROBES, budget.window()))
                .clock(new TimeOfPod(time))
                .build());
  }

  /**
   * @param before lives on if its settings are the same; null for none
   */
  static Breaker of(BreakerBudget budget, MonotonicTime time, @Nullable Breaker before) {
    return before != null && before.budget.equals(budget) ? before : new Breaker(budget, time);
  }

  /** A call may be made; {@link #ended} must be told of it then. */
  boolean lets() {
    return circuit.tryAcquirePermission();
  }

  void ended(Verdict verdict) {
    switch (verdict) {
      case GOOD -> circuit.onSuccess(0, TimeUnit.NANOSECONDS);
      case SLOW -> circuit.onSuccess(2 * SLOW_FROM.toNanos(), TimeUnit.NANOSECONDS);
      case FAILED -> circuit.onError(0, TimeUnit.NANOSECONDS, failure);
      case NOT_COUNTED -> circuit.releasePermission();
    }
  }

  PodLoad.BreakerState state() {
    return switch (circuit.getState()) {
      case OPEN, FORCED_OPEN -> PodLoad.BreakerState.OPEN;
      case HALF_OPEN -> PodLoad.BreakerState.PROBING;
      case CLOSED, DISABLED, METRICS_ONLY -> PodLoad.BreakerState.CLOSED;
    };
  }

  /** Stands for any failure; made once. */
  private static final class FailedCall extends Exception {
    private static final long serialVersionUID = 1L;

    FailedCall() {
      super("a failed call", null, false, false);
    }
  }

  /** The pod's monotonic time in the shape of a clock; only its differences mean anything. */
  private static final class TimeOfPod extends Clock {
    private final MonotonicTime time;

    TimeOfPod(MonotonicTime time) {
      this.time = time;
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(time.nanos());
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
