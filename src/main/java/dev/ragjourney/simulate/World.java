package dev.ragjourney.simulate;

import dev.ragjourney.budget.BudgetTable;

/**
 * What a pod runs, made ready.
 *
 * @param journey with the settings in force
 */
record World(SimulatedJourney journey, BudgetTable table, LawKeys keys) {
  static World of(SimulatedJourney journey, LawKeys keys) {
    return new World(journey, BudgetTable.of(journey.budget()), keys);
  }
}
