package dev.ragjourney.server;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import java.util.ArrayList;
import java.util.List;

/**
 * A journey's levels as admission sees them.
 *
 * @param rungs best first
 * @param totalNanos of the budget
 */
record Ladder(List<Rung> rungs, long totalNanos) {
  /**
   * @param needNanos a journey that starts with no more than this left is not possible here: the
   *     level's threshold at the first stage, at least reserve + Σ floors
   */
  record Rung(AnswerSource answer, long needNanos) {}

  Ladder {
    rungs = List.copyOf(rungs);
  }

  static Ladder of(JourneyBudget budget) {
    BudgetTable table = BudgetTable.of(budget);
    List<Rung> rungs = new ArrayList<>();
    for (int level = 0; level < budget.levels().size(); level++) {
      FallbackLevel declared = budget.levels().get(level);
      rungs.add(new Rung(declared.answer(), table.threshold(0, level)));
    }
    return new Ladder(rungs, budget.total().toNanos());
  }

  /** The levels that run stages: the first ones. */
  int staged() {
    int staged = 0;
    while (rungs.get(staged).answer() == AnswerSource.STAGES) {
      staged++;
    }
    return staged;
  }

  /** The level that answers from the cache; −1 for none. */
  int cached() {
    for (int level = 0; level < rungs.size(); level++) {
      if (rungs.get(level).answer() == AnswerSource.SEMANTIC_CACHE) {
        return level;
      }
    }
    return -1;
  }
}
