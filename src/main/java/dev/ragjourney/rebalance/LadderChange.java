package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import org.jspecify.annotations.Nullable;

/**
 * A change of what journeys leave out: one stage, or the level that they begin at.
 *
 * @param stage an optional stage; null where the level changes
 * @param from {@link #RUNS} or {@link #LEFT_OUT}, or the name of the level before
 * @param to the same of what holds then
 * @param why at most 160 characters, with the figures behind it
 */
public record LadderChange(@Nullable String stage, String from, String to, String why) {
  public static final String RUNS = "Runs";
  public static final String LEFT_OUT = "LeftOut";

  static LadderChange leavingOut(String stage, String why) {
    return new LadderChange(stage, RUNS, LEFT_OUT, why);
  }

  static LadderChange running(String stage, String why) {
    return new LadderChange(stage, LEFT_OUT, RUNS, why);
  }

  static LadderChange beginning(String from, String to, String why) {
    return new LadderChange(null, from, to, why);
  }

  LadderChange undone(String reason) {
    return new LadderChange(stage, to, from, reason);
  }

  LadderChange because(String reason) {
    return new LadderChange(stage, from, to, reason);
  }

  /** The budget with this change in force. */
  public JourneyBudget carriedOut(JourneyBudget budget) {
    LeftOut left = budget.leaves();
    if (stage == null) {
      boolean first = budget.levels().getFirst().name().equals(to);
      return budget.leaving(left.from(first ? null : to));
    }
    LeftOut others = left.without(stage);
    return budget.leaving(to.equals(LEFT_OUT) ? others.with(stage) : others);
  }

  /** Whether a budget has what it led to. */
  boolean inForce(JourneyBudget budget) {
    return stage == null
        ? budget.levels().get(budget.startLevel()).name().equals(to)
        : budget.leaves().stages().contains(stage) == to.equals(LEFT_OUT);
  }

  /** What changes, in words. */
  public String text() {
    if (stage == null) {
      return "journeys begin at level " + to + " and not at " + from;
    }
    return stage + (to.equals(LEFT_OUT) ? " is left out" : " runs again");
  }
}
