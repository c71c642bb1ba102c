package dev.ragjourney.pipeline;

import dev.ragjourney.budget.FallbackLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The log of one journey: what did not go as the full quality wants it. */
final class Happened {
  private final List<Answer.Skipped> skipped = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final Map<String, StageForm> fallbacks = new HashMap<>();
  private final List<Answer.Skipped> wouldCut = new ArrayList<>();
  private boolean less;

  /** The level leaves the stage out. */
  void leftOut(String stage, String reason) {
    skipped.add(new Answer.Skipped(stage, reason));
  }

  void missing(String stage, String reason) {
    skipped.add(new Answer.Skipped(stage, reason));
    missing.add(stage);
  }

  /** The rules would have cut the stage, but only watch. */
  void wouldCut(String stage, String reason) {
    wouldCut.add(new Answer.Skipped(stage, reason));
  }

  List<Answer.Skipped> wouldCut() {
    return wouldCut;
  }

  void fallback(String stage, StageForm form) {
    fallbacks.put(stage, form);
    less = true;
  }

  /** The answer is less than full for another reason. */
  void less() {
    less = true;
  }

  boolean missed(String stage) {
    return missing.contains(stage);
  }

  /** Everything that this level wants was there, and whole. */
  boolean complete(FallbackLevel level) {
    return !less && level.skip().containsAll(missing);
  }

  List<Answer.Skipped> skipped() {
    return skipped;
  }

  boolean full() {
    return !less && missing.isEmpty();
  }

  /**
   * The worse of the chosen level and the first whose skips and forms cover what happened; the
   * chosen one where none does.
   */
  int level(int chosen, Itinerary itinerary) {
    for (int level = 0; level < itinerary.lastLevel(); level++) {
      if (itinerary.answersFromStages(level) && covers(level, itinerary)) {
        return Math.max(chosen, level);
      }
    }
    return chosen;
  }

  private boolean covers(int level, Itinerary itinerary) {
    FallbackLevel rung = itinerary.level(level);
    if (!rung.skip().containsAll(missing)) {
      return false;
    }
    for (int stage = 0; stage < itinerary.stages(); stage++) {
      StageForm used = fallbacks.get(itinerary.stage(stage).name());
      if (used != null && !same(used, itinerary.form(stage, level))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(StageForm used, StageForm declared) {
    return used.backend().equals(declared.backend())
        && used.keywordOnly() == declared.keywordOnly();
  }
}
