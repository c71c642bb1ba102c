package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What moves and edits make of settings, and what a naive reader makes of figures. */
final class Moves {
  private Moves() {}

  static JourneyBudget carriedOut(JourneyBudget budget, List<CapChange> changes) {
    List<StageBudget> stages = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      StageBudget moved = stage;
      for (CapChange change : changes) {
        if (change.stage().equals(stage.name())) {
          moved =
              change.knob() == CapChange.Moved.CAP
                  ? moved.withCap(change.to())
                  : moved.withHoldBack(change.to());
        }
      }
      stages.add(moved);
    }
    return budget.withStages(stages);
  }

  /**
   * After an edit of the resource: a stage that it left alone keeps its moved settings; a changed
   * total drops all of them.
   */
  static JourneyBudget edited(JourneyBudget before, JourneyBudget inForce, JourneyBudget after) {
    if (!before.total().equals(after.total())) {
      return after;
    }
    List<StageBudget> stages = new ArrayList<>();
    for (StageBudget stage : after.stages()) {
      StageBudget kept = stage;
      for (int s = 0; s < before.stages().size(); s++) {
        StageBudget moved = inForce.stages().get(s);
        if (before.stages().get(s).equals(stage) && moved.cap() != null) {
          kept = stage.withCap(moved.cap()).withHoldBack(moved.holdBack());
        } else if (before.stages().get(s).equals(stage)) {
          kept = stage.withHoldBack(moved.holdBack());
        }
      }
      stages.add(kept);
    }
    return after.withStages(stages);
  }

  /** As if only calls that gave a result were counted. */
  static WindowSlice successesOnly(WindowSlice slice) {
    Map<String, StageWindow> stages = new HashMap<>();
    slice
        .stages()
        .forEach(
            (name, stage) ->
                stages.put(
                    name,
                    new StageWindow(
                        stage.completed().total(),
                        stage.completed(),
                        LatencyHistogram.EMPTY,
                        LatencyHistogram.EMPTY,
                        LatencyHistogram.EMPTY,
                        0,
                        stage.skipped(),
                        stage.caps())));
    return new WindowSlice(
        slice.from(),
        slice.to(),
        stages,
        slice.answers(),
        slice.levels(),
        slice.fallbacks(),
        slice.duration(),
        slice.remainingAtGenerate(),
        slice.defects());
  }
}
