package dev.ragjourney.rebalance;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One round for one journey: verdict on the data, rule, limits, decision with reason. */
public final class Rebalancer {
  private static final int LONGEST_WHY = 160;

  private Rebalancer() {}

  public static RebalanceDecision decide(RebalanceInput input) {
    return switch (Verdict.find(input)) {
      case Verdict.Found.Nothing(Verdict verdict) ->
          held(input, verdict, Figures.none(input.budget(), verdict));
      case Verdict.Found.Data(Slices slices) -> decide(input, slices);
    };
  }

  private static RebalanceDecision decide(RebalanceInput input, Slices slices) {
    List<StageFacts> stages =
        input.budget().stages().stream().map(stage -> StageFacts.of(stage, slices)).toList();
    Verdict verdict = Verdict.judge(input, slices, stages);
    List<Demand> demands = new ArrayList<>();
    Duration pool = pool(input);
    for (StageFacts facts : stages) {
      Duration cap = facts.stage().cap();
      if (cap != null && facts.stage().type() != StageType.GENERATE) {
        demands.add(Demand.of(facts, cap, input.policy(), pool));
      }
    }
    RoundFigures figures = Figures.of(slices, stages, demands, verdict);
    if (!verdict.measured()
        || input.policy().mode() == RebalancePolicy.Mode.DISABLED
        || input.policy().rule() != RebalancePolicy.Rule.P95_HEADROOM) {
      return held(input, verdict, figures);
    }
    return byRule(input, demands, pool, figures);
  }

  private static RebalanceDecision held(
      RebalanceInput input, Verdict verdict, RoundFigures figures) {
    if (input.policy().mode() == RebalancePolicy.Mode.DISABLED) {
      return new RebalanceDecision.Hold(Reasons.DISABLED, "rebalancing is switched off", figures);
    }
    if (verdict.measured()) {
      String rule = input.policy().rule().label();
      return new RebalanceDecision.Hold(
          Reasons.RULE_NOT_SUPPORTED, "rule " + rule + " cannot be computed yet", figures);
    }
    return new RebalanceDecision.Hold(verdict.reason(), "caps stay: " + verdict.message(), figures);
  }

  private static RebalanceDecision byRule(
      RebalanceInput input, List<Demand> demands, Duration pool, RoundFigures figures) {
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
    if (changes.isEmpty() || !worthIt) {
      return new RebalanceDecision.Hold(Reasons.IN_BALANCE, inBalance(changes, policy), figures);
    }
    Duration left =
        input
            .budget()
            .total()
            .minus(input.budget().reserve())
            .minus(P95Headroom.path(demands, caps));
    String message = summary(changes) + "; generate is left with " + Seconds.text(left);
    if (policy.mode() == RebalancePolicy.Mode.RECOMMEND) {
      return new RebalanceDecision.Recommend(Reasons.RECOMMENDING, message, changes, figures);
    }
    Instant lastMove = input.lastMove();
    if (lastMove != null && input.now().isBefore(lastMove.plus(policy.cooldown()))) {
      return new RebalanceDecision.Hold(
          Reasons.COOLING_DOWN,
          "caps stay until "
              + lastMove.plus(policy.cooldown())
              + ", a cooldown after the last move",
          figures);
    }
    return new RebalanceDecision.Move(Reasons.REBALANCED, message, changes, figures);
  }

  /** Total − reserve − the floors of generate: what the caps of the other stages may take. */
  private static Duration pool(RebalanceInput input) {
    Duration pool = input.budget().total().minus(input.budget().reserve());
    for (StageBudget stage : input.budget().stages()) {
      if (stage.type() == StageType.GENERATE) {
        pool = pool.minus(stage.floor());
      }
    }
    return pool;
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

  private static String summary(List<CapChange> changes) {
    StringBuilder text = new StringBuilder();
    for (CapChange change : changes) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(change.stage())
          .append(' ')
          .append(Seconds.text(change.from()))
          .append(" → ")
          .append(Seconds.text(change.to()));
    }
    return text.toString();
  }
}
