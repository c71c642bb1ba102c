package dev.ragjourney.pipeline;

import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.Limit;
import org.jspecify.annotations.Nullable;

/**
 * One journey's try of the level above the one that its time picks. While every journey is sent to
 * a cheaper level nobody measures the better one, and its recovery would not be noticed; so a small
 * share of them stays one level up, wherever the better forms fit.
 *
 * <p>Only where the time alone sends the journey down, never where its caller shortened it, the pod
 * has too much to do, or a drill or an open breaker has a hand in it.
 */
final class Probe {
  private final Trip trip;
  private final Itinerary itinerary;
  private final Omission omission;
  private boolean decided;
  private boolean probes;

  Probe(Trip trip, Omission omission) {
    this.trip = trip;
    this.omission = omission;
    this.itinerary = trip.itinerary();
  }

  /**
   * The level for the stages of a step.
   *
   * @param current the journey never climbs back above it
   * @param picked by the time left
   */
  int level(int stage, int end, int current, int picked) {
    int better = picked - 1;
    if (better < current || !may() || !fits(stage, end, better) || !takes()) {
      return picked;
    }
    for (int s = stage; s < end; s++) {
      if (!omission.leavesOut(s) && itinerary.differs(s, better, picked)) {
        trip.listener().probed(trip.route(), itinerary.budget(s).name());
      }
    }
    return better;
  }

  private boolean may() {
    return (!decided || probes)
        && trip.route().policy().learns().probeShare() > 0
        && !trip.deadline().callers()
        && trip.question().startLevel() == 0
        && trip.drill() == null
        && trip.learning().welcome();
  }

  /** Drawn once a journey, at the first level that it would fall to. */
  private boolean takes() {
    if (!decided) {
      decided = true;
      probes =
          trip.machinery().chance() < trip.route().policy().learns().probeShare()
              && trip.learning().takeProbe(trip.now());
    }
    return probes;
  }

  /**
   * The step's stages may have their whole caps at the better level, or their floors where they
   * have none, and all that it holds back for what comes after.
   */
  private boolean fits(int stage, int end, int better) {
    if (!itinerary.answersFromStages(better)) {
      return false;
    }
    BudgetTable table = trip.table();
    long remaining = trip.remaining();
    for (int s = stage; s < end; s++) {
      if (!itinerary.runs(s, better) || omission.leavesOut(s)) {
        continue;
      }
      boolean room =
          table.cap(s) == BudgetTable.UNBOUNDED
              ? remaining - table.holdback(s, better, 1) > table.floor(s, better, 1)
              : table.limit(s, better, remaining, 1) == Limit.CAP;
      if (!room || !closed(itinerary.limits(s).breakers().get(backend(s, better)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean closed(@Nullable Breaker breaker) {
    return breaker == null || breaker.state() == PodLoad.BreakerState.CLOSED;
  }

  private String backend(int stage, int level) {
    return itinerary.form(stage, level).backend();
  }
}
