package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/** Makes an earlier question's answer the answer of this journey. */
final class Recalled {
  private Recalled() {}

  /**
   * Less than full, for being from the cache alone.
   *
   * @param level where the journey is; the level that answers from the cache is reported if there
   *     is one
   * @param problem the failure that the answer makes up for; null for none
   */
  static Answer answer(
      Trip trip,
      AnswerCache.Kept kept,
      Happened happened,
      int level,
      Answer.@Nullable Problem problem) {
    Itinerary itinerary = trip.itinerary();
    int reported = itinerary.cacheLevel() < 0 ? level : itinerary.cacheLevel();
    long now = trip.now();
    long took = now - trip.deadline().arrivalNanos();
    long remaining = trip.deadline().remaining(now);
    return new Answer(
        kept.content(),
        remaining < 0 ? Answer.Outcome.LATE : Answer.Outcome.DEGRADED,
        reported,
        itinerary.level(reported).name(),
        happened.skipped(),
        happened.wouldCut(),
        kept.sources(),
        took,
        took,
        remaining,
        false,
        true,
        false,
        trip.route().hints().get(reported),
        problem,
        null);
  }
}
