package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/** Tells the listener of one stage's start, calls and end. */
final class StageReport {
  private final Trip trip;
  private final int stage;
  private final int level;

  StageReport(Trip trip, int stage, int level) {
    this.trip = trip;
    this.stage = stage;
    this.level = level;
  }

  void started(StageRace<?> race) {
    trip.listener()
        .stageStarted(
            new JourneyListener.StageStart(
                trip.route(),
                name(),
                trip.itinerary().form(stage, level),
                level,
                race.time().allowance(),
                race.time().remaining(),
                trip.question().traceparent()));
  }

  /**
   * @param degradedReason why the stage's result is less than it should be; null if it is whole or
   *     there is none
   */
  void ended(
      Result<?> primary,
      long elapsedNanos,
      StageOutcome resultOutcome,
      @Nullable String degradedReason) {
    Cut cut = primary instanceof Result.CutOff<?> cutOff ? cutOff.cut() : Cut.NONE;
    trip.listener()
        .stageEnded(
            new JourneyListener.StageEnd(
                trip.route(),
                name(),
                trip.itinerary().form(stage, level),
                level,
                outcome(primary),
                cut,
                elapsedNanos,
                resultOutcome,
                degradedReason,
                trip.question().traceparent()));
  }

  /**
   * @param elapsedNanos of what the budget counts: for a first-token generation, to that token
   */
  void called(Call<?> call, Result<?> result, long elapsedNanos) {
    trip.listener()
        .backendCalled(
            new JourneyListener.BackendCall(
                trip.route(),
                name(),
                call.form().backend(),
                call.role(),
                outcome(result),
                result instanceof Result.Failure<?> failure ? failure.kind() : null,
                elapsedNanos));
  }

  void used(Call<?> call, Completion completion, boolean wasted) {
    trip.listener()
        .tokensUsed(
            new JourneyListener.TokensUsed(
                trip.route(), name(), call.form().backend(), completion, wasted));
  }

  static StageOutcome outcome(Result<?> result) {
    return switch (result) {
      case Result.Value<?>(Gain gain) when gain.degradedReason() != null -> StageOutcome.DEGRADED;
      case Result.Value<?> _ -> StageOutcome.SUCCESS;
      case Result.Failure<?> _ -> StageOutcome.ERROR;
      case Result.CutOff<?>(Cut cut) ->
          switch (cut) {
            case CALLER, UNWANTED -> StageOutcome.CANCELLED;
            case NONE, CAP, DEADLINE, LOST -> StageOutcome.TIMEOUT;
          };
      case Result.Withheld<?> _ -> StageOutcome.CANCELLED;
    };
  }

  private String name() {
    return trip.itinerary().budget(stage).name();
  }
}
