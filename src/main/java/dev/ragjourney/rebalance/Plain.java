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

  static Plain of(RebalanceInput input, List<Demand> demands, Duration pool) {
    RebalancePolicy policy = input.policy();
    Map<String, Duration> caps =
        P95Headroom.caps(demands, pool, policy.maxStepUp(), policy.maxStepDown());
    List<CapChange> changes = new ArrayList<>();
    boolean worthIt = false;
    for (Demand demand : demands) {
      Duration to = caps.getOrDefault(demand.stage(), demand.cap());
      if (!to.equals(demand.cap())) {
        changes.add(new CapChange(demand.stage(), demand.cap(), to, why(demand, to)));
        worthIt |= worthIt(demand, to, policy.deadBand());
      }
    }
    Duration left =
        input
            .budget()
            .total()
            .minus(input.budget().reserve())
            .minus(P95Headroom.path(demands, caps));
    return new Plain(
        caps,
        new Proposal(
            changes,
            worthIt,
            "generate is left with " + Seconds.text(left),
            inBalance(changes, policy)));
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

  private static String why(Demand demand, Duration to) {
    String limit = "";
    if (demand.need().compareTo(to) > 0) {
      limit =
          to.compareTo(demand.cap()) > 0 ? "; as far as step and pool allow" : "; caps must fit";
    } else if (demand.need().compareTo(to) < 0) {
      limit = "; one step towards it";
    }
    String why = demand.why() + limit;
    return why.length() <= LONGEST_WHY ? why : why.substring(0, LONGEST_WHY);
  }

  private static String inBalance(List<CapChange> changes, RebalancePolicy policy) {
    return changes.isEmpty()
        ? "every cap is what the rule asks for"
        : String.format(
            Locale.ROOT,
            "no change beyond the dead band of %.0f %% and the sampling error",
            policy.deadBand() * 100);
  }
}
