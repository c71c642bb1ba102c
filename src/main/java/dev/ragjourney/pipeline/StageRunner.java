package dev.ragjourney.pipeline;

import dev.ragjourney.budget.StageType;
import org.jspecify.annotations.Nullable;

/** Runs one stage before generate to its end. */
final class StageRunner {
  private final Trip trip;

  StageRunner(Trip trip) {
    this.trip = trip;
  }

  /**
   * @throws CallCancelledException if the caller has left; everything started is cut off by then
   */
  StageResult run(int stage, int level, Gathered so) throws CallCancelledException {
    Contest contest = new Contest(stage, level, so);
    Attempt<Gain> attempt = contest.race.start();
    if (attempt == null) {
      return new StageResult.Missing("no_time", "too little time was left to start");
    }
    StageReport report = new StageReport(trip, stage, level);
    if (contest.primaryCall != null) {
      report.started(contest.race);
    }
    try {
      Result<Gain> result = decided(attempt);
      StageResult stageResult = contest.resultOf(result);
      report(report, contest, stageResult);
      return stageResult;
    } catch (CallCancelledException callerLeft) {
      attempt.cancel(Cut.CALLER);
      report(report, contest, new StageResult.Missing("caller", "the caller left"));
      throw callerLeft;
    }
  }

  private Result<Gain> decided(Attempt<Gain> attempt) throws CallCancelledException {
    while (true) {
      long next = attempt.advance(trip.now());
      Result<Gain> result = attempt.result();
      if (result != null) {
        return result;
      }
      trip.await(next);
    }
  }

  private void report(StageReport report, Contest contest, StageResult stageResult) {
    for (Call<?> call : contest.race.calls()) {
      Result<?> ended = call.result();
      if (call.started() && ended != null) {
        report.called(call, ended, call.elapsedNanos());
      }
    }
    Call<Gain> primary = contest.primaryCall;
    if (primary == null) {
      return;
    }
    Result<Gain> ended = primary.result();
    if (ended == null) {
      return;
    }
    StageType type = trip.itinerary().budget(contest.stage).type();
    String degraded =
        stageResult instanceof StageResult.Given given ? given.degradedReason(type) : null;
    StageOutcome outcome =
        stageResult instanceof StageResult.Missing
            ? StageReport.outcome(ended)
            : degraded == null ? StageOutcome.SUCCESS : StageOutcome.DEGRADED;
    report.ended(ended, primary.elapsedNanos(), outcome, degraded);
  }

  /** The race of one stage and what its result means. */
  private final class Contest {
    private final int stage;
    private final Gathered so;
    private final StageRace<Gain> race;
    private @Nullable Call<Gain> primaryCall;

    Contest(int stage, int level, Gathered so) {
      this.stage = stage;
      this.so = so;
      this.race =
          new StageRace<>(
              trip, stage, level, StageCall.Role.PRIMARY, FailOver.Manner.RACE, this::enter);
    }

    private Attempt<Gain> enter(StageForm form, StageRace.Limits limits) {
      Call<Gain> call = race.call(form, limits, limits.endNanos(), StageWork.of(form, so));
      if (limits.role() == StageCall.Role.PRIMARY) {
        primaryCall = call;
      }
      return call;
    }

    StageResult resultOf(Result<Gain> result) {
      return switch (result) {
        case Result.Value<Gain>(Gain gain) ->
            new StageResult.Given(
                gain, race.byFallback() ? trip.itinerary().stage(stage).fallback() : null);
        case Result.Failure<Gain>(BackendException.Kind _, String message) ->
            new StageResult.Missing("error", message);
        case Result.CutOff<Gain> _ ->
            new StageResult.Missing("timeout", "it was not ready in time");
      };
    }
  }
}
