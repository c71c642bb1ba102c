package dev.ragjourney.simulate;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.LatencyHistogram;
import dev.ragjourney.rebalance.PastMoves;
import dev.ragjourney.rebalance.StageWindow;
import dev.ragjourney.rebalance.WindowSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What edits make of moved settings, and what a naive reader makes of figures. */
final class Moves {
  private Moves() {}

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
    return after.withStages(stages).leaving(left(before, inForce, after));
  }

  /**
   * A stage that was left alone stays left out, and journeys go on beginning at a lower level where
   * no stage and no level changed.
   */
  private static LeftOut left(JourneyBudget before, JourneyBudget inForce, JourneyBudget after) {
    LeftOut left = inForce.leaves();
    for (StageBudget stage : before.stages()) {
      left = after.stages().contains(stage) ? left : left.without(stage.name());
    }
    boolean same = before.stages().equals(after.stages()) && before.levels().equals(after.levels());
    return same ? left : left.from(null);
  }

  /** What is remembered of earlier moves after an edit: what a changed stage measured is gone. */
  static PastMoves remembered(
      PastMoves moves, JourneyBudget before, JourneyBudget after, Instant at) {
    boolean all = !before.total().equals(after.total());
    Map<String, Instant> changed = new HashMap<>(moves.changed());
    for (int s = 0; s < after.stages().size(); s++) {
      if (all || !after.stages().get(s).equals(before.stages().get(s))) {
        changed.put(after.stages().get(s).name(), at);
      }
    }
    return (all ? PastMoves.NONE : moves).withChanged(changed);
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
