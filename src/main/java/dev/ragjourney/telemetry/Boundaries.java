package dev.ragjourney.telemetry;

import java.util.ArrayList;
import java.util.List;

/** Which of a plan's boundaries a histogram uses. */
final class Boundaries {
  /** The budget, 1.25 times and twice the budget are always kept. */
  private static final int TAIL = 3;

  private static final int STEP = 3;

  private Boundaries() {}

  /**
   * Every third boundary and the last three: for figures that are looked at but never computed
   * with, so that the pod's series go where the rebalancing needs them.
   */
  static List<Double> coarse(List<Double> boundaries) {
    int tail = Math.max(0, boundaries.size() - TAIL);
    List<Double> kept = new ArrayList<>();
    for (int i = 0; i < boundaries.size(); i++) {
      if (i >= tail || i % STEP == 0) {
        kept.add(boundaries.get(i));
      }
    }
    return List.copyOf(kept);
  }
}
