package dev.ragjourney.pipeline;

import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One stage's run: its primary call within its allowance and, where it has one, its fallback.
 *
 * @param <T> what an attempt gives
 */
final class StageRace<T> {
  /** A deadline below 1 ms means: do not call. */
  private static final long LEAST_CALL = 1_000_000;

  /** Makes the attempt of one form. */
  @FunctionalInterface
  interface Entrant<T> {
    Attempt<T> enter(StageForm form, Limits limits);
  }

  /**
   * The time of one call.
   *
   * @param endNanos it is cut off then
   * @param whenReached the reason to record for that
   * @param whenOver run when the call's work has ended
   */
  record Limits(StageCall.Role role, long endNanos, Cut whenReached, Runnable whenOver) {}

  private final Trip trip;
  private final int stage;
  private final int level;
  private final Entrant<T> entrant;
  private final FailOver.Manner manner;
  private final StageCall.Role firstRole;
  private final List<Call<?>> calls = new ArrayList<>(2);
  private final StageTime time;
  private @Nullable FailOver<T> race;
  private boolean alone;
  private boolean drilled;
  private BooleanSupplier insured = () -> false;

  /**
   * @param firstRole PRIMARY; FALLBACK where an earlier rung has had the stage's primary call
   */
  StageRace(
      Trip trip,
      int stage,
      int level,
      StageCall.Role firstRole,
      FailOver.Manner manner,
      Entrant<T> entrant) {
    this.trip = trip;
    this.stage = stage;
    this.level = level;
    this.firstRole = firstRole;
    this.entrant = entrant;
    FallbackBudget fallback = budget().fallback();
    this.manner = fallback != null && fallback.cancelPrimary() ? FailOver.Manner.REPLACE : manner;
    time = new StageTime(trip, stage, level);
  }

  /**
   * @param inHand something that would do in place of a fallback is there: none is started then
   */
  void insuredBy(BooleanSupplier inHand) {
    insured = inHand;
  }

  /** The race's attempt; null if there is no time even for the fallback. */
  @Nullable Attempt<T> start() {
    StageForm fallback = trip.itinerary().stage(stage).fallback();
    if (!time.starts()) {
      alone = true;
      return fallback == null ? null : fallback(fallback, time.startNanos());
    }
    RatioLimit ratio = trip.itinerary().limits(stage).fallbacks();
    if (fallback == null || ratio == null) {
      return enterFirst(time.end(), time.endCut());
    }
    ratio.called();
    long failOver = time.failOver();
    Attempt<T> first =
        enterFirst(time.endWithFallback(failOver), time.endCutWithFallback(failOver));
    race = new FailOver<>(first, failOver, manner, () -> failOverTo(fallback, first));
    return race;
  }

  /** The stage's own backend was not asked: there was no time for it, or a drill took its place. */
  boolean fallbackAlone() {
    return alone || drilled;
  }

  /** A drill takes the place of the stage's own call. */
  boolean drilled() {
    return drilled;
  }

  /** The answer, if there is one, is the fallback's. */
  boolean byFallback() {
    return alone || (race != null && race.byFallback());
  }

  StageTime time() {
    return time;
  }

  /** How long the call waited for its turn, which counts to the stage. */
  long waitedNanos(Call<?> call) {
    return call.startNanos() - time.startNanos();
  }

  /** The most that the rules give to the stage, its fallback included. */
  long ruledNanos() {
    return time.ruledNanos(budget().fallback() != null);
  }

  /** What the rules would have done to the stage that ends now; null for nothing. */
  @Nullable String wouldCut(long endedNanos) {
    return time.wouldCut(endedNanos, budget().fallback() != null);
  }

  List<Call<?>> calls() {
    return calls;
  }

  /** Makes a call that this race keeps account of. */
  <R> Call<R> call(StageForm form, Limits limits, long toldEndNanos, Call.Work<R> work) {
    StageCall told =
        new StageCall(
            budget().name(),
            level,
            limits.role(),
            trip.machinery().time(),
            toldEndNanos,
            trip.deadline().atNanos(),
            Cancellation.NONE,
            trip.question().traceparent());
    Call<R> call =
        new Call<>(
            trip.machinery(),
            trip.bell(),
            form,
            told,
            limits.endNanos(),
            limits.whenReached(),
            work,
            limits.whenOver());
    calls.add(call);
    return call;
  }

  private Attempt<T> enterFirst(long endNanos, Cut whenReached) {
    Drill drill = trip.drill();
    if (firstRole == StageCall.Role.PRIMARY
        && drill != null
        && drill.stage().equals(budget().name())) {
      drilled = true;
      return new ForcedFailure<>(drill.failure(), endNanos);
    }
    StageForm form = trip.itinerary().form(stage, level);
    RetryBudget retry = budget().retry();
    RatioLimit share = trip.itinerary().limits(stage).retries();
    if (retry == null || share == null) {
      return enter(form, firstRole, endNanos, whenReached);
    }
    share.called();
    return new Retry<>(
        new RetryRule(
            form.port().repeatable() ? retry : retry.once(), leastUseful(), !time.observed()),
        (number, end, cut) -> enter(form, number == 0 ? firstRole : StageCall.Role.RETRY, end, cut),
        trip.machinery()::chance,
        share,
        time.end(),
        endNanos,
        whenReached);
  }

  /** One call, which starts when its backend has room for it. */
  private Admitted<T> enter(StageForm form, StageCall.Role role, long endNanos, Cut whenReached) {
    BackendLimit.Permit permit = trip.itinerary().backend(form).permit(trip.bell());
    Attempt<T> call = entrant.enter(form, new Limits(role, endNanos, whenReached, permit));
    return new Admitted<>(permit, true, form.backend(), call, LEAST_CALL, endNanos);
  }

  private long leastUseful() {
    return Math.max(LEAST_CALL, budget().minUseful().toNanos());
  }

  private @Nullable Attempt<T> failOverTo(StageForm form, Attempt<T> first) {
    Attempt<T> second = fallback(form, trip.now());
    if (second == null) {
      first.limitTo(time.end(), time.endCut());
    }
    return second;
  }

  /** Null if none is needed, too little is left, or the stage has fallen back too often. */
  private @Nullable Attempt<T> fallback(StageForm form, long now) {
    FallbackBudget fallback = budget().fallback();
    RatioLimit ratio = trip.itinerary().limits(stage).fallbacks();
    if (fallback == null
        || ratio == null
        || insured.getAsBoolean()
        || trip.deadline().remaining(now) < fallback.minRemaining().toNanos()) {
      return null;
    }
    long end = time.endWithFallback(now);
    if (end - now < LEAST_CALL || !ratio.take()) {
      return null;
    }
    // Generate gets what remains, and so does its fallback.
    long ownEnd =
        budget().type() == StageType.GENERATE
            ? end
            : time.endOfFallback(now, fallback.cap().toNanos());
    return enter(
        form,
        StageCall.Role.FALLBACK,
        ownEnd,
        ownEnd - end < 0 ? Cut.CAP : time.endCutWithFallback(now));
  }

  private StageBudget budget() {
    return trip.itinerary().budget(stage);
  }
}
