package dev.ragjourney.pipeline;

import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
  private @Nullable Attempt<T> first;
  private @Nullable String key;
  private boolean alone;
  private boolean leftAlone;
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

  /** The race's attempt; null if none may be made, and {@link #whyNone} says why. */
  @Nullable Attempt<T> start() {
    StageForm fallback = trip.itinerary().stage(stage).fallback();
    if (!time.starts()) {
      return fallbackAlone(fallback);
    }
    RatioLimit ratio = limits().fallbacks();
    if (ratio != null) {
      ratio.called();
    }
    // Where the rules only watch, nothing is left alone either.
    Breaker breaker = time.observed() ? null : limits().breakers().get(form().backend());
    if (breaker != null && !breaker.lets()) {
      leftAlone = true;
      return fallbackAlone(fallback);
    }
    Attempt<T> attempt =
        fallback == null ? enterFirst(time.end(), time.endCut()) : withFallback(fallback);
    return breaker == null ? attempt : new Guarded<>(breaker, attempt, this::verdict);
  }

  private @Nullable Attempt<T> fallbackAlone(@Nullable StageForm fallback) {
    alone = true;
    return fallback == null ? null : fallback(fallback, time.startNanos());
  }

  private Attempt<T> withFallback(StageForm fallback) {
    long failOver = time.failOver();
    Attempt<T> primary =
        enterFirst(time.endWithFallback(failOver), time.endCutWithFallback(failOver));
    race = new FailOver<>(primary, failOver, manner, () -> failOverTo(fallback, primary));
    return race;
  }

  /** What the end of the stage's own attempts says of their backend. */
  private Breaker.Verdict verdict() {
    return switch (first == null ? null : first.result()) {
      case null -> Breaker.Verdict.NOT_COUNTED;
      case Result.Value<T> _ -> Breaker.Verdict.GOOD;
      case Result.Failure<T> _ -> Breaker.Verdict.FAILED;
      case Result.Withheld<T> _ -> Breaker.Verdict.NOT_COUNTED;
      case Result.CutOff<T>(Cut cut) ->
          (cut == Cut.CAP || cut == Cut.LOST) && !(race != null && time.squeezed())
              ? Breaker.Verdict.SLOW
              : Breaker.Verdict.NOT_COUNTED;
    };
  }

  /** What keeps the stage from making any call: for the skips, and for people. */
  StageResult.Missing whyNone() {
    return leftAlone
        ? new StageResult.Missing(
            "breaker", form().backend() + " was slow or failing and is left alone for a while")
        : new StageResult.Missing("no_time", "too little time was left to start");
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
            trip.question().traceparent(),
            form.port() instanceof Tool tool && tool.keyed() ? key() : null);
    Call<R> call =
        new Call<>(
            trip.machinery(),
            trip.bell(),
            form,
            told,
            limits.endNanos(),
            limits.whenReached(),
            work,
            limits.whenOver(),
            Overtime.of(trip, stage, level, form, limits.role(), time.startNanos()));
    calls.add(call);
    return call;
  }

  private String key() {
    if (key == null) {
      key = UUID.randomUUID().toString();
    }
    return key;
  }

  private Attempt<T> enterFirst(long endNanos, Cut whenReached) {
    Attempt<T> attempts = attempts(endNanos, whenReached);
    first = attempts;
    return attempts;
  }

  private Attempt<T> attempts(long endNanos, Cut whenReached) {
    Drill drill = trip.drill();
    if (firstRole == StageCall.Role.PRIMARY
        && drill != null
        && drill.stage().equals(budget().name())) {
      drilled = true;
      return new ForcedFailure<>(drill.failure(), endNanos);
    }
    RetryBudget retry = budget().retry();
    RatioLimit share = limits().retries();
    if (retry == null || share == null) {
      return copies(firstRole, endNanos, whenReached);
    }
    share.called();
    return new Retry<>(
        new RetryRule(
            form().port().repeatable() ? retry : retry.once(), leastUseful(), !time.observed()),
        (number, end, cut) -> copies(number == 0 ? firstRole : StageCall.Role.RETRY, end, cut),
        trip.machinery()::chance,
        share,
        time.end(),
        endNanos,
        whenReached);
  }

  /** One attempt: a call, and a second copy of it where it is slow. */
  private Attempt<T> copies(StageCall.Role role, long endNanos, Cut whenReached) {
    Admitted<T> call = enter(form(), role, endNanos, whenReached);
    HedgeBudget hedge = budget().hedge();
    HedgeLimit limit = limits().hedges();
    if (hedge == null || limit == null || !form().port().repeatable()) {
      return call;
    }
    limit.called();
    return new Hedge<>(
        call,
        hedge.after().toNanos(),
        () -> secondCopy(limit, endNanos, whenReached),
        outcome -> trip.listener().hedged(trip.route(), budget().name(), outcome));
  }

  /** Null if there is no room for it anywhere: a second copy waits for nothing. */
  private @Nullable Attempt<T> secondCopy(HedgeLimit limit, long endNanos, Cut whenReached) {
    BackendLimit.Permit permit = trip.itinerary().backend(form()).permit(trip.bell());
    if (endNanos - trip.now() < LEAST_CALL || !permit.take(false)) {
      return null;
    }
    if (!limit.enter()) {
      permit.giveBack();
      return null;
    }
    Runnable whenOver =
        () -> {
          permit.giveBack();
          limit.leave();
        };
    return entrant.enter(form(), new Limits(StageCall.Role.HEDGE, endNanos, whenReached, whenOver));
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
    RatioLimit ratio = limits().fallbacks();
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

  private StageForm form() {
    return trip.itinerary().form(stage, level);
  }

  private StageLimits limits() {
    return trip.itinerary().limits(stage);
  }

  private StageBudget budget() {
    return trip.itinerary().budget(stage);
  }
}
