package dev.ragjourney.pipeline;

import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.JourneyBudget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generate stage of one journey on one rung.
 *
 * <p>To the first token: the first content decides the race; after it only the stream's own limits
 * hold, and the deadline of a caller who waits for the finished answer. To the last token: the
 * whole answer must be there at the margin; else a complete fallback answer, else the first model's
 * text as far as it came.
 */
final class Generation {
  private final Trip trip;
  private final int stage;
  private final int level;
  private final Prompts prompts;
  private final Speaker speaker;
  private final boolean toFirstToken;
  private final StageRace<StreamCall> race;
  private final StageReport report;
  private final List<StreamCall> entrants = new ArrayList<>(2);
  private boolean startReported;
  private boolean endReported;

  /**
   * @param firstRole PRIMARY for the stage's first try, FALLBACK for a later rung's
   */
  Generation(
      Trip trip, int stage, int level, StageCall.Role firstRole, Prompts prompts, Speaker speaker) {
    this.trip = trip;
    this.stage = stage;
    this.level = level;
    this.prompts = prompts;
    this.speaker = speaker;
    toFirstToken = budget().countTo() == CountTo.FIRST_TOKEN;
    FailOver.Manner manner = toFirstToken ? FailOver.Manner.RACE : FailOver.Manner.INSURE;
    race = new StageRace<>(trip, stage, level, firstRole, manner, this::enter);
    report = new StageReport(trip, stage, level);
  }

  /**
   * @throws CallCancelledException if the caller has left; everything started is cut off by then
   */
  Writing write() throws CallCancelledException {
    Attempt<StreamCall> attempt = race.start();
    if (attempt == null) {
      StageResult.Missing none = race.whyNone();
      return new Writing.Unwritten(none.reason(), none.message());
    }
    try {
      Result<StreamCall> decided = decided(attempt);
      Writing writing;
      if (toFirstToken && decided instanceof Result.Value<StreamCall>(StreamCall winner)) {
        reportEnd(resultOutcome(winner), degradedReason(winner));
        writing = read(winner);
      } else {
        writing = finished(decided);
      }
      reportCalls();
      return writing;
    } catch (CallCancelledException callerLeft) {
      attempt.cancel(Cut.CALLER);
      reportCalls();
      reportEnd(StageOutcome.CANCELLED, null);
      throw callerLeft;
    }
  }

  /**
   * What the rules would have done, where they only watch; null for nothing.
   *
   * @param endedNanos of what the budget counts
   */
  @Nullable String wouldCut(long endedNanos) {
    return race.wouldCut(endedNanos);
  }

  /** A drill took the place of the rung's own call. */
  boolean drilled() {
    return race.drilled();
  }

  /** The backends that were asked, and the one that a drill stands for. */
  List<String> backends() {
    List<String> asked = new ArrayList<>();
    entrants.forEach(entrant -> asked.add(entrant.call().form().backend()));
    if (race.drilled()) {
      asked.add(trip.itinerary().form(stage, level).backend());
    }
    return asked;
  }

  private StreamCall enter(StageForm form, StageRace.Limits limits) {
    if (!(form.port() instanceof Generator generator)) {
      throw new IllegalArgumentException("The backend " + form.backend() + " does not generate.");
    }
    long toldEnd = toFirstToken ? trip.now() + budget().streamMax().toNanos() : limits.endNanos();
    StreamCall call =
        new StreamCall(
            race, form, limits, toldEnd, trip, toFirstToken, generator, prompt(form, limits));
    entrants.add(call);
    return call;
  }

  /** Where the whole answer must be there in time, its length follows from the time. */
  private Prompt prompt(StageForm form, StageRace.Limits limits) {
    Prompt prompt = prompts.of(form, level);
    if (toFirstToken && !waitsForTheEnd()) {
      return prompt;
    }
    long end = toFirstToken ? lastTokenDeadline() : limits.endNanos();
    GenerationPace pace = trip.itinerary().pace(form);
    return prompt.withMaxTokens(pace.maxTokens(prompt.maxTokens(), end - trip.now()));
  }

  private Result<StreamCall> decided(Attempt<StreamCall> attempt) throws CallCancelledException {
    boolean atOnce = speaksAtOnce();
    while (true) {
      long next = attempt.advance(trip.now());
      reportStart();
      Result<StreamCall> result = attempt.result();
      if (atOnce && !entrants.isEmpty()) {
        speaker.say(entrants.getLast().take());
      }
      if (result != null) {
        return result;
      }
      trip.await(next);
    }
  }

  /** Nobody else could win: what comes may go out before the end. */
  private boolean speaksAtOnce() {
    return !toFirstToken && speaker.streaming() && trip.itinerary().stage(stage).fallback() == null;
  }

  /** Reads the winner's stream to its end. */
  private Writing read(StreamCall winner) throws CallCancelledException {
    Call<Completion> call = winner.call();
    long hardEnd = streamEnd(call);
    long idle = budget().streamIdle().toNanos();
    while (true) {
      // Asked before taking: what came before the end is taken then.
      Result<Completion> ended = call.result();
      speaker.say(winner.take());
      if (ended != null) {
        return readToEnd(winner, ended);
      }
      long end = Math.min(winner.lastContentNanos() + idle, hardEnd);
      if (trip.now() - end >= 0) {
        call.cancel(end == hardEnd ? Cut.DEADLINE : Cut.CAP);
      } else {
        trip.await(end);
      }
    }
  }

  private long streamEnd(Call<?> call) {
    long max = call.startNanos() + budget().streamMax().toNanos();
    return waitsForTheEnd() ? Math.min(max, lastTokenDeadline()) : max;
  }

  /** The deadline of a caller who waits for the finished answer holds to its end. */
  private boolean waitsForTheEnd() {
    return !speaker.streaming() && trip.deadline().callers();
  }

  private long lastTokenDeadline() {
    long margin = (long) (budget().lastTokenMargin().toNanos() * trip.deadline().k());
    return trip.deadline().atNanos() - margin;
  }

  private Writing readToEnd(StreamCall winner, Result<Completion> ended) {
    return switch (ended) {
      case Result.Value<Completion> _ -> whole(winner);
      case Result.Failure<Completion> failure -> partial(winner, "error", failure.message());
      case Result.Withheld<Completion>(String reason, String message) ->
          partial(winner, reason, message);
      case Result.CutOff<Completion> _ ->
          partial(winner, "timeout", "the answer was not finished in time");
    };
  }

  private Writing finished(Result<StreamCall> decided) throws CallCancelledException {
    Writing writing =
        switch (decided) {
          case Result.Value<StreamCall>(StreamCall winner) -> {
            speaker.say(winner.take());
            yield whole(winner);
          }
          case Result.Failure<StreamCall> failure -> rest("error", failure.message());
          case Result.Withheld<StreamCall>(String reason, String message) -> rest(reason, message);
          case Result.CutOff<StreamCall> _ -> rest("timeout", "the answer was not ready in time");
        };
    StreamCall counted = counted();
    if (counted != null) {
      switch (writing) {
        case Writing.Written written -> {
          boolean fallback = written.fallback() != null;
          boolean less = fallback || written.truncated();
          reportEnd(
              less ? StageOutcome.DEGRADED : StageOutcome.SUCCESS,
              fallback ? "fallback" : written.truncated() ? "truncated" : null);
        }
        case Writing.Unwritten _ -> reportEnd(outcomeOf(counted), null);
      }
    }
    return writing;
  }

  /** What the leading model wrote until it broke off. */
  private Writing rest(String reason, String message) throws CallCancelledException {
    StreamCall broken = leading();
    if (toFirstToken || broken == null || !broken.hasContent()) {
      return new Writing.Unwritten(reason, message);
    }
    String text = broken.take();
    if (speaker.heard()) {
      speaker.say(text);
      return broken(broken, speaker.text(), reason, message);
    }
    String all = speaker.text() + text;
    speaker.forget();
    if (!AnswerText.longEnough(all)) {
      return new Writing.Unwritten(reason, message);
    }
    speaker.say(AnswerText.cutAtSentence(all));
    return broken(broken, speaker.text(), reason, message);
  }

  private Writing whole(StreamCall winner) {
    Completion completion =
        winner.call().result() instanceof Result.Value<Completion>(Completion ended) ? ended : null;
    boolean truncated = completion != null && completion.reachedItsLimit();
    String text = speaker.text();
    return new Writing.Written(
        truncated && !speaker.heard() ? AnswerText.cutAtSentence(text) : text,
        fallbackOf(winner),
        winner.firstContentNanos(),
        truncated,
        null,
        completion);
  }

  /** What the winner wrote until it broke off. */
  private Writing partial(StreamCall winner, String reason, String message) {
    String text = speaker.text();
    if (speaker.heard()) {
      return broken(winner, text, reason, message);
    }
    // Too little, and another rung could still be in time.
    if (!AnswerText.longEnough(text) && trip.remaining() > 0) {
      speaker.forget();
      return new Writing.Unwritten(reason, message);
    }
    return broken(winner, AnswerText.cutAtSentence(text), reason, message);
  }

  private Writing broken(StreamCall writer, String text, String reason, String message) {
    return new Writing.Written(
        text,
        fallbackOf(writer),
        writer.firstContentNanos(),
        true,
        reason.equals("error") ? message : null,
        null);
  }

  private @Nullable StageForm fallbackOf(StreamCall winner) {
    return ofTheRung(winner) ? null : winner.call().form();
  }

  private boolean ofTheRung(StreamCall entrant) {
    return !race.fallbackAlone() && !beside(entrant);
  }

  /** A fallback to another; the first call of a later rung has the role of one, but is none. */
  private boolean beside(StreamCall entrant) {
    return entrant.call().role() == StageCall.Role.FALLBACK && !entrant.equals(entrants.getFirst());
  }

  /** The last attempt that is not beside another. */
  private @Nullable StreamCall leading() {
    return entrants.reversed().stream().filter(each -> !beside(each)).findFirst().orElse(null);
  }

  /** The stage's primary call, once it has started. */
  private @Nullable StreamCall counted() {
    StreamCall first = entrants.isEmpty() ? null : entrants.getFirst();
    return first != null && first.call().role() == StageCall.Role.PRIMARY && first.call().started()
        ? first
        : null;
  }

  private StageOutcome resultOutcome(StreamCall winner) {
    return fallbackOf(winner) == null ? StageOutcome.SUCCESS : StageOutcome.DEGRADED;
  }

  private @Nullable String degradedReason(StreamCall winner) {
    return fallbackOf(winner) == null ? null : "fallback";
  }

  private static StageOutcome outcomeOf(StreamCall call) {
    Result<StreamCall> result = call.result();
    return result == null ? StageOutcome.CANCELLED : StageReport.outcome(result);
  }

  private void reportStart() {
    if (!startReported && counted() != null) {
      startReported = true;
      report.started(race);
    }
  }

  private void reportEnd(StageOutcome resultOutcome, @Nullable String degradedReason) {
    StreamCall counted = counted();
    Result<StreamCall> result = counted == null ? null : counted.result();
    if (counted != null && result != null && !endReported) {
      endReported = true;
      long elapsed = race.waitedNanos(counted.call()) + elapsed(counted, result);
      report.ended(result, elapsed, resultOutcome, degradedReason);
    }
  }

  private void reportCalls() {
    for (StreamCall entrant : entrants) {
      Result<Completion> result = entrant.call().result();
      Result<StreamCall> decided = entrant.result();
      if (entrant.call().started() && result != null && decided != null) {
        report.called(entrant.call(), result, elapsed(entrant, decided));
        measure(entrant, result);
        if (result instanceof Result.Value<Completion>(Completion completion)) {
          report.used(entrant.call(), completion, !entrant.taken());
        }
      }
    }
  }

  private void measure(StreamCall entrant, Result<Completion> ended) {
    Call<Completion> call = entrant.call();
    GenerationPace pace = trip.itinerary().pace(call.form());
    if (entrant.hasContent()) {
      pace.firstToken(entrant.firstContentNanos() - call.startNanos());
      Integer counted =
          ended instanceof Result.Value<Completion>(Completion c) ? c.outputTokens() : null;
      pace.wrote(
          counted == null ? AnswerText.tokens(entrant.characters()) : counted,
          entrant.lastContentNanos() - entrant.firstContentNanos());
    } else if (ended instanceof Result.CutOff<Completion>(Cut cut)
        && (cut == Cut.CAP || cut == Cut.DEADLINE)) {
      pace.firstToken(call.elapsedNanos());
    }
  }

  private long elapsed(StreamCall call, Result<StreamCall> result) {
    return toFirstToken && result instanceof Result.Value
        ? call.firstContentNanos() - call.call().startNanos()
        : call.call().elapsedNanos();
  }

  private JourneyBudget budget() {
    return trip.route().budget();
  }
}
