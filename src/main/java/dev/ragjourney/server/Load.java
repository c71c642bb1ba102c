package dev.ragjourney.server;

/**
 * What a pod has to do when a question arrives, without that question.
 *
 * @param inFlight journeys on their way
 * @param limit how many may be, at least 1
 * @param queued questions that wait for a place
 * @param spared journeys that were let past the queue because a cache may answer them
 * @param meanNanos how long a journey has lately kept its place; 0 while none has ended
 */
record Load(int inFlight, int limit, int queued, int spared, long meanNanos) {
  /** in-flight / limit, with those that wait. */
  double pressure() {
    return (double) (inFlight + queued) / limit;
  }

  boolean hasRoom() {
    return inFlight < limit && queued == 0;
  }

  /**
   * (queued + 1) × mean / limit: places become free that often.
   *
   * @param unknown taken for the mean while none is known
   */
  long waitNanos(long unknown) {
    double mean = meanNanos == 0 ? unknown : meanNanos;
    return hasRoom() ? 0 : (long) ((queued + 1) * mean / limit);
  }
}
