package dev.ragjourney.simulate;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.simulate.SimulatedJourney.Form;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What did not go as the full quality wants it, in one journey. */
final class Happened {
  private final SimulatedJourney journey;
  private final boolean[] missing;
  private final boolean[] fallback;
  private final Set<String> tried = new HashSet<>();
  private boolean full;
  private boolean less;

  Happened(SimulatedJourney journey) {
    this.journey = journey;
    missing = new boolean[journey.stages()];
    fallback = new boolean[journey.stages()];
  }

  void clear() {
    Arrays.fill(missing, false);
    Arrays.fill(fallback, false);
    full = true;
    less = false;
  }

  void missing(int stage) {
    missing[stage] = true;
    full = false;
  }

  void fallback(int stage) {
    fallback[stage] = true;
    full = false;
  }

  /** The answer is less than full for another reason. */
  void less() {
    less = true;
  }

  boolean full() {
    return full && !less;
  }

  void noneTried() {
    if (!tried.isEmpty()) {
      tried.clear();
    }
  }

  /** A rung of generate that gave nothing, and whom it asked. */
  void tried(int stage, int level, boolean own, boolean itsFallback) {
    SimulatedJourney.StageForms forms = journey.forms().get(stage);
    if (own) {
      tried.add(forms.byLevel().get(level).backend());
    }
    if (itsFallback && forms.fallback() != null) {
      tried.add(forms.fallback().backend());
    }
  }

  boolean hasTried(int stage, int level) {
    return tried.contains(journey.forms().get(stage).byLevel().get(level).backend());
  }

  /**
   * The worse of the chosen level and the first whose skips and forms cover what happened; the
   * chosen one where none does.
   */
  int level(int chosen) {
    if (full && chosen == 0) {
      return 0;
    }
    for (int level = 0; level < journey.budget().levels().size() - 1; level++) {
      if (journey.answersFromStages(level) && covers(level)) {
        return Math.max(chosen, level);
      }
    }
    return chosen;
  }

  private boolean covers(int level) {
    List<StageBudget> stages = journey.budget().stages();
    List<String> skip = journey.budget().levels().get(level).skip();
    for (int stage = 0; stage < missing.length; stage++) {
      if (missing[stage] && !skip.contains(stages.get(stage).name())) {
        return false;
      }
      Form used = journey.forms().get(stage).fallback();
      Form declared = journey.forms().get(stage).byLevel().get(level);
      if (fallback[stage] && used != null && !used.sameAs(declared)) {
        return false;
      }
    }
    return true;
  }
}
