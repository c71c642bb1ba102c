package dev.ragjourney.pipeline;

import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.StageBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the answer of one journey, with the facts that say how good it is.
 *
 * @param streaming the caller reads the answer as it is written
 * @param happened so far
 */
record Answers(Trip trip, boolean streaming, Happened happened) {

  /** What the model wrote. */
  Answer written(
      StageBudget generate,
      Writing.Written written,
      int level,
      List<Passage> sources,
      boolean noContext) {
    long end = trip.now();
    long remaining = trip.deadline().remaining(countedEnd(written));
    int reported = happened.level(level, itinerary());
    Answer.Outcome outcome =
        remaining < 0
            ? Answer.Outcome.LATE
            : reported == 0 && happened.full() ? Answer.Outcome.FULL : Answer.Outcome.DEGRADED;
    String message = written.message();
    return new Answer(
        written.text(),
        outcome,
        reported,
        itinerary().level(reported).name(),
        happened.skipped(),
        happened.wouldCut(),
        sources,
        end - trip.deadline().arrivalNanos(),
        written.firstTokenNanos() - trip.deadline().arrivalNanos(),
        remaining,
        written.truncated(),
        false,
        noContext,
        outcome == Answer.Outcome.FULL ? null : hint(reported),
        message == null ? null : problem(generate, message),
        written.completion());
  }

  /**
   * An earlier question's answer: less than full, for being from the cache alone.
   *
   * @param level where the journey is; the level that answers from the cache is reported if there
   *     is one
   * @param problem the failure that the answer makes up for; null for none
   */
  Answer cached(AnswerCache.Kept kept, int level, Answer.@Nullable Problem problem) {
    int reported = itinerary().cacheLevel() < 0 ? level : itinerary().cacheLevel();
    long now = trip.now();
    long took = now - trip.deadline().arrivalNanos();
    long remaining = trip.deadline().remaining(now);
    return new Answer(
        kept.content(),
        remaining < 0 ? Answer.Outcome.LATE : Answer.Outcome.DEGRADED,
        reported,
        itinerary().level(reported).name(),
        happened.skipped(),
        happened.wouldCut(),
        kept.sources(),
        took,
        took,
        remaining,
        false,
        true,
        false,
        hint(reported),
        problem,
        null);
  }

  /** The declared message, which no model wrote. */
  Answer fixed(
      Answer.Outcome outcome, int reported, boolean noContext, Answer.@Nullable Problem problem) {
    long now = trip.now();
    return new Answer(
        trip.route().staticMessage(),
        outcome,
        reported,
        itinerary().level(reported).name(),
        happened.skipped(),
        happened.wouldCut(),
        List.of(),
        now - trip.deadline().arrivalNanos(),
        null,
        trip.deadline().remaining(now),
        false,
        false,
        noContext,
        hint(reported),
        problem,
        null);
  }

  /** The moment that the budget counts. */
  long countedEnd(Writing.Written written) {
    boolean toFirst = trip.route().budget().countTo() == CountTo.FIRST_TOKEN;
    boolean waits = !streaming && trip.deadline().callers();
    return toFirst && !waits ? written.firstTokenNanos() : trip.now();
  }

  Answer.Problem problem(StageBudget stage, String message) {
    return new Answer.Problem(
        stage.name(),
        message,
        stage.cap() == null ? null : stage.cap().toNanos(),
        trip.remaining());
  }

  private String hint(int level) {
    return trip.route().hints().get(level);
  }

  private Itinerary itinerary() {
    return trip.itinerary();
  }
}
