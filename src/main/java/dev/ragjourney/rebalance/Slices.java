package dev.ragjourney.rebalance;

import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a round and which of them count for a stage.
 *
 * @param all oldest first
 * @param layout the boundaries that the journey's budget asks for
 * @param lastMove when caps last moved; null if they never did
 */
record Slices(List<WindowSlice> all, List<Double> layout, @Nullable Instant lastMove) {
  /** Metrics carry caps as floating point seconds. */
  private static final Duration SAME_CAP = Duration.ofMillis(1);

  static Slices of(RebalanceInput input, JourneyWindow window) {
    return new Slices(
        window.slices(), LatencyBoundaries.of(input.budget().total()), input.lastMove());
  }

  WindowSlice newest() {
    return all.getLast();
  }

  /** Calls under the cap in force: the slices wholly after its last change. */
  StageSample underCapInForce(StageBudget stage) {
    List<StageWindow> counting = new ArrayList<>();
    for (WindowSlice slice : all) {
      StageWindow window = slice.stages().get(stage.name());
      if (window != null && hadCapInForce(stage, slice, window)) {
        counting.add(window);
      }
    }
    return StageSample.sum(counting, layout, true);
  }

  /** All calls of the window, under whatever cap. */
  StageSample wholeWindow(StageBudget stage) {
    List<StageWindow> windows = new ArrayList<>();
    boolean oneCap = true;
    for (WindowSlice slice : all) {
      StageWindow window = slice.stages().get(stage.name());
      if (window != null) {
        windows.add(window);
        oneCap &= hadCapInForce(stage, slice, window);
      }
    }
    return StageSample.sum(windows, layout, oneCap);
  }

  /** Whether every histogram of a slice has the budget's boundaries. */
  boolean fitsLayout(WindowSlice slice) {
    if (slice.duration().on(layout).isEmpty()) {
      return false;
    }
    for (StageWindow stage : slice.stages().values()) {
      if (stage.completed().on(layout).isEmpty()
          || stage.capCut().on(layout).isEmpty()
          || stage.deadlineCut().on(layout).isEmpty()
          || stage.lost().on(layout).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private boolean hadCapInForce(StageBudget stage, WindowSlice slice, StageWindow window) {
    Duration cap = stage.cap();
    if (cap == null) {
      return true;
    }
    StageWindow.CapSpan caps = window.caps();
    if (caps == null) {
      return lastMove == null || !slice.from().isBefore(lastMove);
    }
    return near(caps.lowest(), cap) && near(caps.highest(), cap);
  }

  private static boolean near(Duration one, Duration other) {
    return one.minus(other).abs().compareTo(SAME_CAP) < 0;
  }
}
