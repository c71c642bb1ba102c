package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;
import java.util.function.DoubleFunction;

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
    return from.leaves().equals(to.leaves())
        ? of(search, evidence, search.settings(from), search.settings(to))
        : of(search, evidence, search.course(from), search.course(to));
  }

  static Comparison of(QualitySearch search, Evidence evidence, Settings from, Settings to) {
    return of(
        search,
        evidence,
        search.forecast(from),
        search.forecast(to),
        missCosts -> search.gain(from, to, missCosts));
  }

  /** Where one of them leaves out what the other runs, no answer of it counts as full. */
  private static Comparison of(QualitySearch search, Evidence evidence, Course from, Course to) {
    return of(
        search,
        evidence,
        from.forecast(),
        to.forecast(),
        missCosts -> Replay.gain(from, to, missCosts));
  }

  /**
   * @param replayed what the change gains, by what a missed answer costs
   */
  private static Comparison of(
      QualitySearch search,
      Evidence evidence,
      Forecast was,
      Forecast is,
      DoubleFunction<Replay.Gain> replayed) {
    Objective objective = search.objective();
    boolean missesCount = Math.max(was.miss(), is.miss()) > objective.free();
    double error = replayed.apply(missesCount ? objective.price() : 0).error(evidence.calls());
    return new Comparison(was, is, new Expected(objective.worth(is) - objective.worth(was), error));
  }
}
