package dev.ragjourney.pipeline;

import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.Limit;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.List;
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
   */
  record Limits(StageCall.Role role, long endNanos, Cut whenReached) {}

  private final Trip trip;
  private final int stage;
  private final int level;
  private final Entrant<T> entrant;
  private final FailOver.Manner manner;
  private final StageCall.Role firstRole;
  private final List<Call<?>> calls = new ArrayList<>(2);
  private final long startNanos;
  private final long remaining;
  private @Nullable FailOver<T> race;
  private boolean alone;

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
    startNanos = trip.now();
    remaining = trip.deadline().remaining(startNanos);
  }

  /** The race's attempt; null if there is no time even for the fallback. */
  @Nullable Attempt<T> start() {
    StageForm fallback = trip.itinerary().stage(stage).fallback();
    Limit limit = trip.table().limit(stage, level, remaining, k());
    if (limit == Limit.NO_TIME) {
      alone = true;
      return fallback == null ? null : fallback(fallback, startNanos);
    }
    RatioLimit ratio = trip.itinerary().limits(stage).fallbacks();
    if (fallback == null || ratio == null) {
      return enterFirst(allowanceEnd(), cutOf(limit));
    }
    ratio.called();
    long failOver = trip.table().failOver(stage, level, remaining, k());
    Attempt<T> first = enterFirst(endWithFallback(failOver), endCut(failOver));
    race =
        new FailOver<>(
            first, startNanos + failOver, manner, () -> failOverTo(fallback, first, limit));
    return race;
  }

  /** There was no time for the primary, but for the fallback. */
  boolean fallbackAlone() {
    return alone;
  }

  /** The answer, if there is one, is the fallback's. */
  boolean byFallback() {
    return alone || (race != null && race.byFallback());
  }

  long startNanos() {
    return startNanos;
  }

  long allowance() {
    return trip.table().allowance(stage, level, remaining, k());
  }

  long remainingAtStart() {
    return remaining;
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
            work);
    calls.add(call);
    return call;
  }

  private Attempt<T> enterFirst(long endNanos, Cut whenReached) {
    StageForm form = trip.itinerary().form(stage, level);
    RetryBudget retry = budget().retry();
    RatioLimit share = trip.itinerary().limits(stage).retries();
    if (retry == null || share == null) {
      return entrant.enter(form, new Limits(firstRole, endNanos, whenReached));
    }
    share.called();
    return new Retry<>(
        new RetryRule(form.port().repeatable() ? retry : retry.once(), leastUseful()),
        (number, end, cut) ->
            entrant.enter(
                form, new Limits(number == 0 ? firstRole : StageCall.Role.RETRY, end, cut)),
        trip.machinery()::chance,
        share,
        allowanceEnd(),
        endNanos,
        whenReached);
  }

  private long leastUseful() {
    return Math.max(LEAST_CALL, budget().minUseful().toNanos());
  }

  private @Nullable Attempt<T> failOverTo(StageForm form, Attempt<T> first, Limit limit) {
    Attempt<T> second = fallback(form, trip.now());
    if (second == null) {
      first.limitTo(allowanceEnd(), cutOf(limit));
    }
    return second;
  }

  /** Null if too little is left, or if the stage has fallen back too often. */
  private @Nullable Attempt<T> fallback(StageForm form, long now) {
    FallbackBudget fallback = budget().fallback();
    RatioLimit ratio = trip.itinerary().limits(stage).fallbacks();
    if (fallback == null
        || ratio == null
        || trip.deadline().remaining(now) < fallback.minRemaining().toNanos()) {
      return null;
    }
    long end = endWithFallback(now - startNanos);
    if (end - now < LEAST_CALL || !ratio.take()) {
      return null;
    }
    long ownEnd = now + fallback.cap().toNanos();
    // Generate gets what remains, and so does its fallback.
    boolean capped = ownEnd - end < 0 && budget().type() != StageType.GENERATE;
    return entrant.enter(
        form,
        new Limits(
            StageCall.Role.FALLBACK,
            capped ? ownEnd : end,
            capped ? Cut.CAP : endCut(now - startNanos)));
  }

  private long allowanceEnd() {
    return startNanos + allowance();
  }

  private long endWithFallback(long failOver) {
    return startNanos + trip.table().endWithFallback(stage, level, remaining, failOver, k());
  }

  private Cut endCut(long failOver) {
    return cutOf(trip.table().endLimit(stage, level, remaining, failOver, k()));
  }

  private static Cut cutOf(Limit limit) {
    return limit == Limit.CAP ? Cut.CAP : Cut.DEADLINE;
  }

  private StageBudget budget() {
    return trip.itinerary().budget(stage);
  }

  private double k() {
    return trip.deadline().k();
  }
}
