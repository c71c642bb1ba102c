package dev.ragjourney.pipeline;

import dev.ragjourney.budget.LeftOut;

/**
 * What one journey leaves out of what its plan says. A small share of the journeys is on trial and
 * leaves nothing out: they begin at the first level and run every stage, within the same deadline,
 * so that it is noticed when that would serve better again.
 *
 * <p>A journey is on trial only where it has its own whole budget, the pod has time to spare, no
 * drill has a hand in it, and at most one a second in each pod. Where the budget is only observed
 * nothing is left out.
 */
final class Omission {
  private final Itinerary itinerary;
  private final boolean nothing;
  private final boolean onTrial;

  Omission(Trip trip) {
    itinerary = trip.itinerary();
    LeftOut left = itinerary.route().budget().leaves();
    onTrial = !trip.observed() && !left.nothing() && tries(trip, left.trialShare());
    nothing = onTrial || trip.observed();
  }

  private static boolean tries(Trip trip, double share) {
    return !trip.deadline().callers()
        && trip.question().startLevel() == 0
        && trip.drill() == null
        && trip.learning().welcome()
        && trip.machinery().chance() < share
        && trip.learning().takeProbe(trip.now());
  }

  /** Where the journey begins. */
  int startLevel() {
    return nothing ? 0 : itinerary.startLevel();
  }

  /** The stage does not run, whatever the level. */
  boolean leavesOut(int stage) {
    return !nothing && itinerary.leftOut(stage);
  }

  /** The journey tries something here that the others leave out. */
  boolean tries(int stage, int level) {
    return onTrial
        && (itinerary.leftOut(stage)
            || (level < itinerary.startLevel()
                && itinerary.differs(stage, level, itinerary.startLevel())));
  }
}
