package dev.ragjourney.simulate;

import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageType;

/** What a pod runs, made ready: every question of a journey under way is a look into an array. */
final class World {
  private final SimulatedJourney journey;
  private final BudgetTable table;
  private final LawKeys keys;
  private final boolean[][] runs;
  private final boolean[] leftOut;
  private final int startLevel;
  private final boolean[] answers;
  private final StageType[] types;
  private final long totalNanos;

  private World(SimulatedJourney journey, LawKeys keys) {
    this.journey = journey;
    this.keys = keys;
    table = BudgetTable.of(journey.budget());
    int levels = journey.budget().levels().size();
    runs = new boolean[levels][journey.stages()];
    answers = new boolean[levels];
    types = new StageType[journey.stages()];
    leftOut = new boolean[types.length];
    startLevel = journey.budget().startLevel();
    for (int s = 0; s < types.length; s++) {
      String stage = journey.budget().stages().get(s).name();
      leftOut[s] = journey.budget().leaves().stages().contains(stage);
    }
    totalNanos = journey.budget().total().toNanos();
    for (int l = 0; l < levels; l++) {
      answers[l] = journey.answersFromStages(l);
      for (int s = 0; s < types.length; s++) {
        runs[l][s] = journey.runs(s, l);
        types[s] = journey.budget().stages().get(s).type();
      }
    }
  }

  /**
   * @param journey with the settings in force
   */
  static World of(SimulatedJourney journey, LawKeys keys) {
    return new World(journey, keys);
  }

  SimulatedJourney journey() {
    return journey;
  }

  BudgetTable table() {
    return table;
  }

  LawKeys keys() {
    return keys;
  }

  boolean runs(int stage, int level) {
    return runs[level][stage];
  }

  /** Whether a journey, by its number, is one of the evenly spread ones that leave nothing out. */
  boolean tries(int number) {
    LeftOut left = journey.budget().leaves();
    double share = left.trialShare();
    return !left.nothing() && Math.floor((number + 1) * share) > Math.floor(number * share);
  }

  boolean leftOut(int stage) {
    return leftOut[stage];
  }

  int startLevel() {
    return startLevel;
  }

  boolean answersFromStages(int level) {
    return answers[level];
  }

  StageType type(int stage) {
    return types[stage];
  }

  long totalNanos() {
    return totalNanos;
  }
}
