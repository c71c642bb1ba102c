package dev.ragjourney.rebalance;

import dev.ragjourney.rebalance.StageModel.AtLevel;

/**
 * The moments of one stage on a grid, from its start: the arithmetic of the pod's {@link
 * dev.ragjourney.budget.BudgetTable}, in points.
 */
final class StageTimes {
  private int alone;
  private int failOver;
  private int end;
  private int fallbackEnd;
  private boolean starts;
  private boolean fallsBack;

  /**
   * @param left points until the horizon
   */
  void set(StageModel stage, AtLevel at, int left, int cap, int hold) {
    int rest = left - at.drawn();
    alone = Math.min(cap, left - hold);
    starts = alone >= 0;
    failOver = 0;
    fallsBack = false;
    end = alone;
    if (stage.fallbackLaw() == null) {
      return;
    }
    if (starts) {
      failOver =
          Math.max(0, Math.min(Math.min(stage.failAfter(), alone), rest - stage.fallbackLead()));
    }
    fallsBack = rest >= failOver && left - failOver >= stage.fallbackNeeds();
    if (fallsBack) {
      int wanted = starts ? Math.max(cap, failOver + stage.fallbackCap()) : stage.fallbackCap();
      end = Math.min(wanted, rest);
      fallbackEnd = Math.min(failOver + stage.fallbackCap(), end);
    }
  }

  /** Of a stage whose own call is not there, or has failed at once. */
  void withoutCall(StageModel stage, AtLevel at, int left) {
    set(stage, at, left, 0, left + 1);
  }

  /** Its own call starts. */
  boolean starts() {
    return starts;
  }

  /** A fallback starts at {@link #failOver} unless the stage's own call is done by then. */
  boolean fallsBack() {
    return fallsBack;
  }

  int failOver() {
    return failOver;
  }

  /** The last point at which the stage may be done. */
  int end() {
    return end;
  }

  /** The last point at which its fallback may be done. */
  int fallbackEnd() {
    return fallbackEnd;
  }
}
