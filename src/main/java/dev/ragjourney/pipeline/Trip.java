package dev.ragjourney.pipeline;

import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.Deadline;
import dev.ragjourney.budget.Enforcement;
import org.jspecify.annotations.Nullable;

/**
 * What one journey travels with.
 *
 * @param drill the failure to force; null for none
 * @param overruns time by which observed stages went beyond what the rules give
 * @param learning what the pod does only to learn
 * @param caller over when the caller has left
 */
record Trip(
    Itinerary itinerary,
    Question question,
    Deadline deadline,
    Machinery machinery,
    Bell bell,
    @Nullable Drill drill,
    Overruns overruns,
    Learning learning,
    Cancellation caller,
    JourneyListener listener) {

  BudgetTable table() {
    return itinerary.table();
  }

  Route route() {
    return itinerary.route();
  }

  /** The rules only watch. */
  boolean observed() {
    return route().policy().enforcement() == Enforcement.OBSERVE;
  }

  long now() {
    return machinery.time().nanos();
  }

  long remaining() {
    return deadline.remaining(now());
  }

  /**
   * Sleeps until the bell rings or the given moment.
   *
   * @throws CallCancelledException if the caller has left
   */
  void await(long atNanos) throws CallCancelledException {
    try {
      bell.await(atNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallCancelledException();
    }
    checkCaller();
  }

  /**
   * @throws CallCancelledException if the caller has left
   */
  void checkCaller() throws CallCancelledException {
    if (caller.cancelled()) {
      throw new CallCancelledException();
    }
  }
}
