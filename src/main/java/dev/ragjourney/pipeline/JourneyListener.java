package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * Told what happens on a journey. Methods run on the journey's path: they return at once and never
 * throw. One listener serves all journeys of a pod, from many threads.
 */
public interface JourneyListener {
  /** A stage's primary call starts. */
  default void stageStarted(StageStart start) {}

  /** A stage's primary call ended or was cut; recorded once for each start. */
  default void stageEnded(StageEnd end) {}

  /** A stage did not start, or its result was given up. */
  default void stageSkipped(Route route, String stage, String reason) {}

  /**
   * The budget is only observed, and the rules would have cut this stage or left it out.
   *
   * @param reason {@code cap}, {@code deadline}, {@code no_time} or {@code level}
   */
  default void stageWouldBeCut(Route route, String stage, String reason) {}

  /** A call that its cap cut off goes on in the background, to learn how long it takes. */
  default void lateSampled(Route route, String stage) {}

  /** Such a call ended or was given up. Told on a thread of its own or on the timer's. */
  default void lateEnded(LateEnd end) {}

  /** A journey tries a better form of a stage than its time picks. */
  default void probed(Route route, String stage) {}

  /** One call of a backend, of any role, ended. */
  default void backendCalled(BackendCall call) {}

  /** A call was slow enough for a second copy. */
  default void hedged(Route route, String stage, HedgeOutcome outcome) {}

  /** A generation ended, whole or cut off, and its backend said what it used. */
  default void tokensUsed(TokensUsed tokens) {}

  /** The generate stage is about to start. */
  default void generateReached(Route route, long remainingNanos) {}

  /** The journey looked for an answer of an earlier question; told once, at its end. */
  default void answerLookedUp(Route route, AnswerCache.Lookup lookup) {}

  /** The journey's own answer was kept for others; told on a thread of its own. */
  default void answerKept(Route route, AnswerCache.Stock stock) {}

  /** The journey is over. */
  default void journeyEnded(Route route, Question question, Answer answer) {}

  /** The caller left before the answer was complete; nothing more is told of this journey. */
  default void journeyAbandoned(Route route, Question question) {}

  /**
   * @param traceparent of the journey's root; null where nothing is traced
   * @param allowanceNanos what the stage was given
   * @param remainingNanos of the journey at the start
   */
  record StageStart(
      Route route,
      String stage,
      StageForm form,
      int level,
      long allowanceNanos,
      long remainingNanos,
      @Nullable String traceparent) {}

  /**
   * @param elapsedNanos until the call ended, or until it was cut
   * @param resultOutcome how the stage as a whole came out: its fallback may have given the result
   */
  record StageEnd(
      Route route,
      String stage,
      StageForm form,
      int level,
      StageOutcome outcome,
      Cut cut,
      long elapsedNanos,
      StageOutcome resultOutcome,
      @Nullable String degradedReason,
      @Nullable String traceparent) {}

  /**
   * @param outcome SUCCESS, ERROR, or TIMEOUT for one that had not ended at the journey's total
   * @param elapsedNanos as {@link StageEnd#elapsedNanos}, but until the call's own end
   */
  record LateEnd(
      Route route,
      String stage,
      StageForm form,
      int level,
      StageOutcome outcome,
      long elapsedNanos) {}

  /**
   * @param failure the failure's kind; null for a success
   */
  record BackendCall(
      Route route,
      String stage,
      String backend,
      StageCall.Role role,
      StageOutcome outcome,
      BackendException.@Nullable Kind failure,
      long elapsedNanos) {}

  /**
   * @param wasted none of the text reached the caller
   */
  record TokensUsed(
      Route route, String stage, String backend, Completion completion, boolean wasted) {}
}
