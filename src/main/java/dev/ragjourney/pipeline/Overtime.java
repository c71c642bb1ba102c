package dev.ragjourney.pipeline;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What may become of a stage's own call after its cap has cut it off: it goes on unseen until it
 * ends, at most until the journey's total from the stage's start. The journey knows nothing of it.
 *
 * <p>Only of work that is waiting and that may be done for nothing: what computes in this pod is
 * late because the processors are short, and would take them from others.
 */
final class Overtime {
  private final Trip trip;
  private final int stage;
  private final int level;
  private final StageForm form;
  private final LateSampling sampling;
  private final Duration cap;
  private final long startNanos;

  private Overtime(
      Trip trip,
      int stage,
      int level,
      StageForm form,
      LateSampling sampling,
      Duration cap,
      long startNanos) {
    this.trip = trip;
    this.stage = stage;
    this.level = level;
    this.form = form;
    this.sampling = sampling;
    this.cap = cap;
    this.startNanos = startNanos;
  }

  /**
   * Null where a call ends for good when it is cut.
   *
   * @param startNanos of the stage
   */
  static @Nullable Overtime of(
      Trip trip, int stage, int level, StageForm form, StageCall.Role role, long startNanos) {
    LateSampling sampling = trip.itinerary().limits(stage).late();
    Duration cap = trip.itinerary().budget(stage).cap();
    return sampling == null
            || cap == null
            || role != StageCall.Role.PRIMARY
            || trip.observed()
            || !harmless(form.port())
        ? null
        : new Overtime(trip, stage, level, form, sampling, cap, startNanos);
  }

  /** A key stands for an effect that must not happen twice. */
  private static boolean harmless(StagePort port) {
    return port.repeatable()
        && !port.holdsCarrier()
        && !(port instanceof Tool tool && tool.keyed());
  }

  /** A call starts that may overrun. */
  void started() {
    sampling.started();
  }

  /**
   * Decides about the call that its cap cuts off now. One that goes on keeps its place at the
   * backend: none does where more than half of those places are taken.
   */
  boolean begins(long nowNanos) {
    if (nowNanos - startNanos < cap.toNanos()) {
      return false;
    }
    sampling.overran();
    if (nowNanos - endNanos() >= 0
        || !trip.learning().welcome()
        || !trip.itinerary().backend(form).halfFree()
        || !sampling.enter(trip.machinery().chance())) {
      return false;
    }
    trip.listener().lateSampled(trip.route(), stageName());
    return true;
  }

  /** The call goes on. */
  void goesOn(Call<?> call) {
    trip.learning().goesOn(call);
  }

  /** It is given up then. */
  long endNanos() {
    return startNanos + trip.route().budget().total().toNanos();
  }

  /**
   * The call is over.
   *
   * @param result null for one that says nothing of its time: the pod is going away
   */
  void over(Call<?> call, @Nullable Result<?> result) {
    sampling.leave();
    trip.learning().ended(call);
    if (result != null) {
      trip.listener()
          .lateEnded(
              new JourneyListener.LateEnd(
                  trip.route(),
                  stageName(),
                  form,
                  level,
                  outcome(result),
                  trip.now() - startNanos));
    }
  }

  private static StageOutcome outcome(Result<?> result) {
    StageOutcome outcome = StageReport.outcome(result);
    return outcome == StageOutcome.DEGRADED ? StageOutcome.SUCCESS : outcome;
  }

  private String stageName() {
    return trip.itinerary().budget(stage).name();
  }
}
