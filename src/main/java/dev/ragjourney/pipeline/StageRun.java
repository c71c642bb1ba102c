package dev.ragjourney.pipeline;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One stage before generate, from its start to its end; moved on by the journey's thread. */
final class StageRun {
  private final Trip trip;
  private final int stage;
  private final Gathered so;
  private final StageRace<Gain> race;
  private final StageReport report;
  private final int level;
  private final @Nullable Speculation speculation;
  private @Nullable Attempt<Gain> attempt;
  private @Nullable Call<Gain> primaryCall;
  private boolean startReported;
  private @Nullable StageResult result;
  private @Nullable String wouldCut;
  private long endNanos;

  /**
   * @param so what the stage works on
   * @param speculation a keyword search that has been started for this stage; null for none
   */
  StageRun(Trip trip, int stage, int level, Gathered so, @Nullable Speculation speculation) {
    this.trip = trip;
    this.stage = stage;
    this.level = level;
    this.so = so;
    this.speculation = speculation;
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
    if (speculation != null) {
      race.insuredBy(() -> speculation.found() != null);
      if (race.time().starts()) {
        speculation.limitTo(race.time().end());
        if (asksTheSame(speculation)) {
          return;
        }
      }
    }
    startRace();
  }

  private void startRace() {
    attempt = race.start();
    if (attempt == null) {
      end(standIn(race.whyNone()));
    }
  }

  /** The stage's own search would be by keyword too, and for the same words. */
  private boolean asksTheSame(Speculation begun) {
    return so.vector() == null
        && !rewritten()
        && begun.form().backend().equals(trip.itinerary().form(stage, level).backend())
        && (begun.running() || begun.found() != null);
  }

  private boolean rewritten() {
    return !so.searchText().equals(so.question());
  }

  /**
   * @return when to be moved on again if the bell does not ring before
   */
  long advance(long nowNanos) {
    if (result == null && attempt == null) {
      awaitWords();
    }
    if (result != null || attempt == null) {
      return Bell.NEVER;
    }
    long next = attempt.advance(nowNanos);
    if (!startReported && primaryCall != null && primaryCall.started()) {
      startReported = true;
      report.started(race);
    }
    Result<Gain> decided = attempt.result();
    if (decided == null) {
      return next;
    }
    if (decided instanceof Result.Value || speculation == null || !speculation.running()) {
      end(resultOf(decided));
    }
    return Bell.NEVER;
  }

  /** Instead of asking for the same twice; only if it gave nothing the stage asks by itself. */
  private void awaitWords() {
    if (speculation == null || speculation.running()) {
      return;
    }
    PassagesFound words = speculation.found();
    if (words == null) {
      startRace();
    } else if (embeds()) {
      end(StageResult.Given.speculative(gain(words), speculation.form()));
    } else {
      end(StageResult.Given.primary(gain(words)));
    }
  }

  /** The level has an embedding before this stage: a search by keyword is less than it wants. */
  private boolean embeds() {
    for (int s = 0; s < stage; s++) {
      if (trip.itinerary().budget(s).type() == StageType.EMBED && trip.itinerary().runs(s, level)) {
        return true;
      }
    }
    return false;
  }

  private StageResult standIn(StageResult.Missing missing) {
    PassagesFound words = speculation == null ? null : speculation.found();
    return speculation == null || words == null
        ? missing
        : StageResult.Given.speculative(gain(words), speculation.form());
  }

  private Gain gain(PassagesFound words) {
    int topK = trip.itinerary().form(stage, level).topK();
    List<Passage> best = StageWork.best(words.passages(), topK);
    return new Gain(to -> to.found(List.of(best), topK), words.degradedReason());
  }

  /** What the stage found, merged with what the words alone found. */
  private Gain merged(Gain own) {
    PassagesFound words = speculation == null ? null : speculation.found();
    boolean both =
        trip.itinerary().form(stage, level).port() instanceof PassageSearch search
            && search.searchesBoth()
            && so.vector() != null
            && !rewritten();
    return words == null || both
        ? own
        : new Gain(to -> gain(words).addTo().apply(own.addTo().apply(to)), own.degradedReason());
  }

  /** Ends what still runs; without effect on a stage that has its result. */
  void cancel(Cut why, StageResult.Missing missing) {
    if (result == null) {
      if (attempt != null) {
        attempt.cancel(why);
      }
      end(missing);
    }
  }

  /** Null while the stage runs. */
  @Nullable StageResult result() {
    return result;
  }

  int stage() {
    return stage;
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
          race.byFallback()
              ? StageResult.Given.fallback(
                  gain, trip.itinerary().stage(stage).fallback(), budget().type())
              : StageResult.Given.primary(merged(gain));
      case Result.Failure<Gain> failure ->
          standIn(new StageResult.Missing("error", failure.message()));
      case Result.Withheld<Gain>(String reason, String message) ->
          standIn(new StageResult.Missing(reason, message));
      case Result.CutOff<Gain> _ ->
          standIn(new StageResult.Missing("timeout", "it was not ready in time"));
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
    if (speculation != null) {
      speculation.close();
    }
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
        stageResult instanceof StageResult.Given given ? given.degradedReason() : null;
    StageOutcome outcome =
        stageResult instanceof StageResult.Missing
            ? StageReport.outcome(ended)
            : degraded == null ? StageOutcome.SUCCESS : StageOutcome.DEGRADED;
    report.ended(ended, race.waitedNanos(primary) + primary.elapsedNanos(), outcome, degraded);
  }
}
