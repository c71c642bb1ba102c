package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;

/** By how much one set of caps and hold-backs is worth more than another, on the same laws. */
record Comparison(Forecast from, Forecast to, Expected gain) {
  /**
   * @param from settings, and {@code to} others, of the journey that the search is for
   */
  static Comparison of(
      QualitySearch search, Evidence evidence, JourneyBudget from, JourneyBudget to) {
    Settings before = search.onGrid().settings(from);
    Settings after = search.onGrid().settings(to);
    Forecast was = search.forecast(before);
    Forecast is = search.forecast(after);
    Objective objective = search.objective();
    boolean missesCount = Math.max(was.miss(), is.miss()) > objective.free();
    double error =
        search.gain(before, after, missesCount ? objective.price() : 0).error(evidence.calls());
    return new Comparison(was, is, new Expected(objective.worth(is) - objective.worth(was), error));
  }
}
