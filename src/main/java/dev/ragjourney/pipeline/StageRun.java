package dev.ragjourney.pipeline;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One stage before generate, from its start to its end; moved on by the journey's thread. */
final class StageRun {
  private final Trip trip;
  private final int stage;
  private final Gathered so;
  private final StageRace<Gain> race;
  private final StageReport report;
  private @Nullable Attempt<Gain> attempt;
  private @Nullable Call<Gain> primaryCall;
  private boolean startReported;
  private @Nullable StageResult result;
  private @Nullable String wouldCut;
  private long endNanos;

  /**
   * @param so what the stage works on
   */
  StageRun(Trip trip, int stage, int level, Gathered so) {
    this.trip = trip;
    this.stage = stage;
    this.so = so;
    race =
        new StageRace<>(
            trip, stage, level, StageCall.Role.PRIMARY, FailOver.Manner.RACE, this::enter);
    report = new StageReport(trip, stage, level);
  }

  private Attempt<Gain> enter(StageForm form, StageRace.Limits limits) {
    Call<Gain> call = race.call(form, limits, limits.endNanos(), StageWork.of(form, so));
    if (limits.role() == StageCall.Role.PRIMARY) {
      primaryCall = call;
    }
    return call;
  }

  void start() {
    attempt = race.start();
    if (attempt == null) {
      end(new StageResult.Missing("no_time", "too little time was left to start"));
    }
  }

  /**
   * @return when to be moved on again if the bell does not ring before
   */
  long advance(long nowNanos) {
    if (result != null || attempt == null) {
      return Bell.NEVER;
    }
    long next = attempt.advance(nowNanos);
    if (!startReported && primaryCall != null && primaryCall.started()) {
      startReported = true;
      report.started(race);
    }
    Result<Gain> decided = attempt.result();
    if (decided != null) {
      end(resultOf(decided));
      return Bell.NEVER;
    }
    return next;
  }

  /** Ends what still runs; without effect on a stage that has its result. */
  void cancel(Cut why, StageResult.Missing missing) {
    if (result == null && attempt != null) {
      attempt.cancel(why);
      end(missing);
    }
  }

  /** Null while the stage runs. */
  @Nullable StageResult result() {
    return result;
  }

  StageBudget budget() {
    return trip.itinerary().budget(stage);
  }

  /**
   * The stage gave nothing, and without it there is no answer. Without an embedding the search goes
   * by keyword, and without passages the model is told so or the caller gets an error: neither ends
   * the journey here.
   */
  boolean failsJourney() {
    return result instanceof StageResult.Missing
        && !budget().optional()
        && budget().type() != StageType.EMBED
        && budget().type() != StageType.SEARCH;
  }

  /**
   * From when on the stages beside this one do not wait for it: what is optional and has no
   * fallback may be late until its {@code degradeAfter}. {@link Bell#NEVER} for its own end, and
   * where the budget is only observed.
   */
  long lateNanos() {
    Duration degradeAfter = budget().degradeAfter();
    return degradeAfter != null
            && budget().optional()
            && budget().fallback() == null
            && !race.time().observed()
        ? race.time().startNanos() + degradeAfter.toNanos()
        : Bell.NEVER;
  }

  private StageResult resultOf(Result<Gain> decided) {
    return switch (decided) {
      case Result.Value<Gain>(Gain gain) ->
          new StageResult.Given(
              gain, race.byFallback() ? trip.itinerary().stage(stage).fallback() : null);
      case Result.Failure<Gain> failure -> new StageResult.Missing("error", failure.message());
      case Result.Withheld<Gain>(String reason, String message) ->
          new StageResult.Missing(reason, message);
      case Result.CutOff<Gain> _ -> new StageResult.Missing("timeout", "it was not ready in time");
    };
  }

  /** What the rules would have done, where they only watch; null for nothing. */
  @Nullable String wouldCut() {
    return wouldCut;
  }

  /** What the stage would have taken by the rules. */
  long ruledNanos() {
    return Math.min(race.ruledNanos(), endNanos - race.time().startNanos());
  }

  private void end(StageResult stageResult) {
    result = stageResult;
    endNanos = trip.now();
    wouldCut = race.wouldCut(endNanos);
    if (race.drilled() && stageResult instanceof StageResult.Given) {
      trip.listener().stageSkipped(trip.route(), budget().name(), "drill");
    }
    for (Call<?> call : race.calls()) {
      Result<?> ended = call.result();
      if (call.started() && ended != null) {
        report.called(call, ended, call.elapsedNanos());
      }
    }
    Call<Gain> primary = primaryCall;
    Result<Gain> ended = primary == null ? null : primary.result();
    if (primary == null || !startReported || ended == null) {
      return;
    }
    String degraded =
        stageResult instanceof StageResult.Given given
            ? given.degradedReason(budget().type())
            : null;
    StageOutcome outcome =
        stageResult instanceof StageResult.Missing
            ? StageReport.outcome(ended)
            : degraded == null ? StageOutcome.SUCCESS : StageOutcome.DEGRADED;
    report.ended(ended, race.waitedNanos(primary) + primary.elapsedNanos(), outcome, degraded);
  }
}
