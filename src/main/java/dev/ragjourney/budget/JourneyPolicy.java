package dev.ragjourney.budget;

import org.jspecify.annotations.Nullable;

/**
 * How a journey behaves beside its times.
 *
 * @param enforcement what happens to a stage that overruns
 * @param drills a request may ask for a forced failure
 * @param drillShare share of the journeys in which one stage is forced to fail, 0 to 1
 * @param answerCache how answers are kept; null where none are
 * @param learning what pods do only to learn; null for nothing
 */
public record JourneyPolicy(
    Enforcement enforcement,
    boolean drills,
    double drillShare,
    @Nullable AnswerCachePolicy answerCache,
    @Nullable LearningPolicy learning) {
  /** Enforced, without drills and without a cache. */
  public static final JourneyPolicy PLAIN =
      new JourneyPolicy(Enforcement.ENFORCE, false, 0, null, null);

  /** What pods do only to learn. */
  public LearningPolicy learns() {
    return learning == null ? LearningPolicy.NOTHING : learning;
  }
}
