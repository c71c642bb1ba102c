package dev.ragjourney.server;

/** What becomes of a question that arrives. */
sealed interface AdmissionDecision {
  /**
   * It starts at once.
   *
   * @param startLevel 0, or a lower level because of the load
   * @param spared it takes no place: the cache answers it, or nobody does
   */
  record Admit(int startLevel, boolean spared) implements AdmissionDecision {}

  /**
   * It waits for a place.
   *
   * @param atMostNanos then it is refused
   */
  record Queue(long atMostNanos) implements AdmissionDecision {}

  /**
   * @param retryAfterSeconds when a place is likely to be free
   */
  record Refuse(int retryAfterSeconds) implements AdmissionDecision {}
}
