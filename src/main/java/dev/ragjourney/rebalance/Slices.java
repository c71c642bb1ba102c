package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a round and which of them count for a stage.
 *
 * @param all oldest first
 * @param layout the boundaries that the journey's budget asks for
 * @param lastMove when caps last moved; null if they never did
 * @param scraped time of the newest sample; null where that is not known
 * @param changed by stage, when its spec last changed
 */
record Slices(
    List<WindowSlice> all,
    List<Double> layout,
    @Nullable Instant lastMove,
    @Nullable Instant scraped,
    Map<String, Instant> changed) {
  static final Slices NONE = new Slices(List.of(), List.of(), null, null, Map.of());

  /** Metrics carry caps as floating point seconds. */
  private static final Duration SAME_CAP = Duration.ofMillis(1);

  static Slices of(RebalanceInput input, JourneyWindow window) {
    PastMoves moves = input.moves();
    return new Slices(
        window.slices().stream()
            .map(slice -> slice.only(stage -> since(slice, moves.changed().get(stage))))
            .filter(slice -> !slice.stages().isEmpty() || !slice.defects().isEmpty())
            .toList(),
        LatencyBoundaries.of(input.budget().total()),
        moves.lastAt(),
        window.scraped(),
        moves.changed());
  }

  private static boolean since(WindowSlice slice, @Nullable Instant time) {
    return time == null || !slice.from().isBefore(time);
  }

  /** The slices wholly after a time, in which all pods had the caps in force. */
  Slices since(Instant time, JourneyBudget budget) {
    return new Slices(
        all.stream().filter(slice -> since(slice, time) && hadCapsInForce(budget, slice)).toList(),
        layout,
        lastMove,
        scraped,
        changed);
  }

  /** One of these slices alone. */
  Slices only(WindowSlice slice) {
    return new Slices(List.of(slice), layout, lastMove, scraped, changed);
  }

  /**
   * What laws are learned from. After a rollback nothing from before it: the move that was taken
   * back is not to be made again from what it was made from.
   */
  Slices ground(PastMoves moves, JourneyBudget budget) {
    return moves.last() != null && moves.last().takenBack()
        ? since(moves.last().at(), budget)
        : this;
  }

  /** Whether no slice lies wholly after the last change of the stage's spec. */
  boolean tooNew(StageBudget stage) {
    return !since(newest(), changed.get(stage.name()));
  }

  WindowSlice newest() {
    return all.getLast();
  }

  /**
   * Calls under the cap in force: the slices wholly after the last move. What one move was made
   * from is no ground for the next, for stages that did not move either.
   */
  StageSample underCapInForce(StageBudget stage) {
    List<StageWindow> counting = new ArrayList<>();
    for (WindowSlice slice : all) {
      StageWindow window = slice.stages().get(stage.name());
      if (window != null && since(slice, lastMove) && hadCapInForce(stage, slice, window)) {
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
          || stage.lost().on(layout).isEmpty()
          || stage.late().completed().on(layout).isEmpty()
          || stage.late().stillRunning().on(layout).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private boolean hadCapsInForce(JourneyBudget budget, WindowSlice slice) {
    for (StageBudget stage : budget.stages()) {
      StageWindow window = slice.stages().get(stage.name());
      if (window != null && !hadCapInForce(stage, slice, window)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a slice lies wholly after the last move. */
  boolean sinceLastMove(WindowSlice slice) {
    return since(slice, lastMove);
  }

  private boolean hadCapInForce(StageBudget stage, WindowSlice slice, StageWindow window) {
    Duration cap = stage.cap();
    if (cap == null) {
      return true;
    }
    StageWindow.CapSpan caps = window.caps();
    if (caps == null) {
      return since(slice, lastMove);
    }
    return near(caps.lowest(), cap) && near(caps.highest(), cap);
  }

  private static boolean near(Duration one, Duration other) {
    return one.minus(other).abs().compareTo(SAME_CAP) < 0;
  }
}
