package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;

/**
 * By how much one set of caps and hold-backs is worth more than another, on the same laws. Where
 * both leave the same out, "full" is all that is left, in time.
 */
record Comparison(Forecast from, Forecast to, Expected gain) {
  /**
   * @param from settings, and {@code to} others, of the journey that the search is for
   */
  static Comparison of(
      QualitySearch search, Evidence evidence, JourneyBudget from, JourneyBudget to) {
    if (!from.leaves().equals(to.leaves())) {
      return ofCourses(search, evidence, search.course(from), search.course(to));
    }
    Settings before = search.settings(from);
    Settings after = search.settings(to);
    Forecast was = search.forecast(before);
    Forecast is = search.forecast(after);
    Objective objective = search.objective();
    boolean missesCount = Math.max(was.miss(), is.miss()) > objective.free();
    double error =
        search.gain(before, after, missesCount ? objective.price() : 0).error(evidence.calls());
    return new Comparison(was, is, new Expected(objective.worth(is) - objective.worth(was), error));
  }

  /** Where one of them leaves out what the other runs, no answer of it counts as full. */
  private static Comparison ofCourses(
      QualitySearch search, Evidence evidence, Course from, Course to) {
    Forecast was = from.forecast();
    Forecast is = to.forecast();
    Objective objective = search.objective();
    boolean missesCount = Math.max(was.miss(), is.miss()) > objective.free();
    double error =
        Replay.gain(from, to, missesCount ? objective.price() : 0).error(evidence.calls());
    return new Comparison(was, is, new Expected(objective.worth(is) - objective.worth(was), error));
  }
}
