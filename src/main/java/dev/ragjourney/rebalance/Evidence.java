package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The laws of a journey's stages, learned from a window.
 *
 * @param laws by stage
 * @param fallbacks by stage; those with too few calls are absent
 * @param calls of the stage with the fewest
 * @param drifted some stage's latencies have changed within the window
 */
record Evidence(
    Map<String, CellLaw> laws, Map<String, CellLaw> fallbacks, double calls, boolean drifted) {
  private static final Duration SAME_CAP = Duration.ofMillis(1);

  /** Empty if some stage has too few calls for a law. */
  static Optional<Evidence> of(JourneyBudget budget, Slices slices, Grid grid) {
    Map<String, CellLaw> laws = new HashMap<>();
    Map<String, CellLaw> fallbacks = new HashMap<>();
    double calls = Double.POSITIVE_INFINITY;
    boolean drifted = false;
    JourneyOnGrid journey = JourneyOnGrid.of(budget, grid);
    for (int i = 0; i < budget.stages().size(); i++) {
      StageBudget stage = budget.stages().get(i);
      StageLaw law = StageLaw.of(grid, tables(stage, slices, grid));
      if (law.law() == null) {
        return Optional.empty();
      }
      laws.put(stage.name(), law.law());
      calls = Math.min(calls, law.calls());
      drifted |= law.drifted();
      CellLaw fallback = StageLaw.of(grid, fallbackTables(journey, i, stage, slices, grid)).law();
      if (fallback != null) {
        fallbacks.put(stage.name(), fallback);
      }
    }
    return Optional.of(new Evidence(laws, fallbacks, calls, drifted));
  }

  private static List<HazardTable> tables(StageBudget stage, Slices slices, Grid grid) {
    List<HazardTable> tables = new ArrayList<>();
    for (WindowSlice slice : slices.all()) {
      StageWindow window = slice.stages().get(stage.name());
      if (window == null) {
        continue;
      }
      StageSample sample = StageSample.sum(List.of(window), slices.layout(), true);
      HazardTable table = new HazardTable(grid);
      table.add(
          sample.completed(),
          sample.capCut(),
          sample.deadlineCut().plus(sample.lost()),
          cap(stage, window));
      addLate(table, window.late(), slices.layout(), cap(stage, window));
      tables.add(table);
    }
    return tables;
  }

  /**
   * Calls that went on after their cut are at risk beyond it. Without one cap for all of them it is
   * not known from when on.
   */
  private static void addLate(
      HazardTable table, StageWindow.Late late, List<Double> layout, @Nullable Double capSeconds) {
    LatencyHistogram completed = late.completed().on(layout).orElse(LatencyHistogram.EMPTY);
    LatencyHistogram stillRunning = late.stillRunning().on(layout).orElse(LatencyHistogram.EMPTY);
    if (capSeconds != null && !completed.counts().isEmpty() && !stillRunning.counts().isEmpty()) {
      table.addLate(completed, stillRunning, capSeconds);
    }
  }

  private static List<HazardTable> fallbackTables(
      JourneyOnGrid journey, int index, StageBudget stage, Slices slices, Grid grid) {
    List<HazardTable> tables = new ArrayList<>();
    Duration cutAt = journey.fallbackTime(index, stage.holdBack());
    boolean moves = stage.type() == StageType.GENERATE;
    for (WindowSlice slice : slices.all()) {
      StageWindow window = slice.stages().get(stage.name());
      if (window != null && !window.fallbackCompleted().counts().isEmpty()) {
        HazardTable table = new HazardTable(grid);
        LatencyHistogram completed = window.fallbackCompleted();
        LatencyHistogram none = LatencyHistogram.zero(completed.boundaries());
        table.addCutAlike(
            completed,
            window.fallbackCut().on(completed.boundaries()).orElse(none),
            cutAt == null || !slices.sinceLastMove(slice) && moves ? null : Seconds.of(cutAt));
        tables.add(table);
      }
    }
    return tables;
  }

  /** Null where calls end at other moments too: beside a fallback they go on past the cap. */
  private static @Nullable Double cap(StageBudget stage, StageWindow window) {
    StageWindow.CapSpan caps = window.caps();
    boolean one = caps != null && caps.highest().minus(caps.lowest()).abs().compareTo(SAME_CAP) < 0;
    return stage.fallback() == null && caps != null && one ? Seconds.of(caps.lowest()) : null;
  }
}
