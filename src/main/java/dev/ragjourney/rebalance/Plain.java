package dev.ragjourney.rebalance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the plain rule asks for.
 *
 * @param caps by stage
 */
record Plain(Map<String, Duration> caps, Proposal proposal) {
  private static final int LONGEST_WHY = 160;
  private static final double PERCENT = 100;

  static Plain of(RebalanceInput input, List<Demand> demands, Duration pool) {
    RebalancePolicy policy = input.policy();
    Map<String, Duration> caps =
        P95Headroom.caps(demands, pool, policy.maxStepUp(), policy.maxStepDown());
    List<CapChange> changes = new ArrayList<>();
    boolean worthIt = false;
    for (Demand demand : demands) {
      Duration to = caps.getOrDefault(demand.stage(), demand.cap());
      if (!to.equals(demand.cap())) {
        changes.add(new CapChange(demand.stage(), demand.cap(), to, why(demand, to, policy)));
        worthIt |= worthIt(demand, to, policy.deadBand());
      }
    }
    Duration beside = input.budget().total().minus(input.budget().reserve());
    return new Plain(
        caps,
        new Proposal(
            changes,
            worthIt,
            Ledger.giveAndTake(
                changes,
                beside.minus(P95Headroom.path(demands, Map.of())),
                beside.minus(P95Headroom.path(demands, caps))),
            Proposal.inBalance(policy)));
  }

  /**
   * A change is worth a move from the dead band on, unless it is within the sampling error. A cap
   * that goes below its need does so because the caps do not fit: that is worth it always.
   */
  private static boolean worthIt(Demand demand, Duration to, double deadBand) {
    double from = Seconds.of(demand.cap());
    boolean belowNeed = to.compareTo(demand.need()) < 0 && to.compareTo(demand.cap()) < 0;
    return belowNeed || (demand.certain() && Math.abs(Seconds.of(to) - from) >= deadBand * from);
  }

  /** The figures, and which limit ended the change. */
  private static String why(Demand demand, Duration to, RebalancePolicy policy) {
    String limit = "";
    if (demand.need().compareTo(to) > 0 && to.compareTo(demand.cap()) < 0) {
      limit = "; caps must fit the pool";
    } else if (demand.need().compareTo(to) > 0) {
      limit = "; ends at " + (atMostUp(demand, to, policy) ? up(policy) : "the pool");
    } else if (demand.need().compareTo(to) < 0) {
      limit =
          String.format(
              Locale.ROOT, "; ends at maxStep.down %.0f %%", policy.maxStepDown() * PERCENT);
    } else if (to.equals(demand.min()) || to.equals(demand.max())) {
      limit = "; ends at " + (to.equals(demand.min()) ? "capRange.min" : "capRange.max");
    }
    String why = demand.why() + limit;
    return why.length() <= LONGEST_WHY ? why : why.substring(0, LONGEST_WHY);
  }

  private static boolean atMostUp(Demand demand, Duration to, RebalancePolicy policy) {
    double most = demand.cap().toNanos() * (1 + policy.maxStepUp());
    return to.plusMillis(1).toNanos() > most;
  }

  private static String up(RebalancePolicy policy) {
    return String.format(Locale.ROOT, "maxStep.up %.0f %%", policy.maxStepUp() * PERCENT);
  }
}
