package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;

/**
 * The journey that most questions take under a budget: without what it leaves out.
 *
 * @param model without the stages that are left out, and from the level on that it begins at
 * @param settings of it
 * @param whole nothing is left out; else no answer is full, however much of what is left is in time
 */
record Course(JourneyModel model, Settings settings, boolean whole) {
  /**
   * @param all the journey with everything in it
   * @param inForce the budget's settings on the same grid
   */
  static Course of(JourneyModel all, JourneyBudget budget, Settings inForce) {
    if (budget.leaves().nothing()) {
      return new Course(all, inForce, true);
    }
    JourneyModel left = all.from(Math.min(budget.startLevel(), all.levels() - 1));
    for (int stage = 0; stage < budget.stages().size(); stage++) {
      String name = budget.stages().get(stage).name();
      left = budget.leaves().stages().contains(name) ? left.without(stage) : left;
    }
    Settings settings = inForce;
    for (int stage = 0; stage < budget.stages().size(); stage++) {
      StageModel of = left.stages().get(stage);
      if (of.holds().fixed()) {
        settings = settings.withHold(stage, of.holds().lowest());
      }
      if (!of.levels().getFirst().runs()) {
        left = left.with(stage, of.fixedAt(settings.cap(stage), settings.hold(stage)));
      }
    }
    return new Course(left, settings, false);
  }

  /** What the answers are: of a journey that leaves something out none is full. */
  Forecast forecast() {
    Forecast left = Outlook.of(model, settings)[0].forecast();
    return whole ? left : new Forecast(0, left.miss());
  }
}
