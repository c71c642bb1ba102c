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
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The laws of a journey's stages, learned from a window.
 *
 * @param laws by stage
 * @param fallbacks by stage; those with too few calls are absent
 * @param failing share of the journeys in which the stage's call failed or was not allowed, by
 *     stage
 * @param answered under the settings in force, newest first; none where the latencies have changed
 *     since
 * @param calls of the stage with the fewest
 * @param drifted some stage's latencies have changed within the window
 */
record Evidence(
    Map<String, CellLaw> laws,
    Map<String, CellLaw> fallbacks,
    Map<String, Double> failing,
    List<Answered> answered,
    double calls,
    boolean drifted) {
  /** Reasons to skip a stage that the forecast knows of. */
  private static final Set<String> FORESEEN = Set.of("no_time", "level");

  private static final Duration SAME_CAP = Duration.ofMillis(1);

  /** Shares of failed calls that are nearer are the same. */
  private static final double LEAST_DIFFERENCE = 0.02;

  private static final double UNLIKELY = 3;

  /** Empty if some stage has too few calls for a law. */
  static Optional<Evidence> of(JourneyBudget budget, Slices slices, Grid grid) {
    Map<String, CellLaw> laws = new HashMap<>();
    Map<String, CellLaw> fallbacks = new HashMap<>();
    Map<String, Double> failing = new HashMap<>();
    double calls = Double.POSITIVE_INFINITY;
    int told = slices.all().size();
    boolean drifted = false;
    JourneyOnGrid journey = JourneyOnGrid.of(budget, grid);
    for (int i = 0; i < budget.stages().size(); i++) {
      StageBudget stage = budget.stages().get(i);
      List<HazardTable> tables = tables(stage, slices, grid);
      StageLaw law = StageLaw.of(grid, tables);
      if (law.law() == null) {
        return Optional.empty();
      }
      laws.put(stage.name(), law.law());
      calls = Math.min(calls, law.calls());
      drifted |= law.drifted();
      told = law.drifted() ? Math.min(told, law.slices()) : told;
      failing.put(stage.name(), failing(stage, slices, law.slices()));
      CellLaw fallback = StageLaw.of(grid, fallbackTables(journey, i, stage, slices, grid)).law();
      if (fallback != null) {
        fallbacks.put(stage.name(), fallback);
      }
    }
    List<Answered> answered =
        slices.all().reversed().stream()
            .limit(told)
            .filter(slices::sinceLastMove)
            .map(Answered::of)
            .toList();
    return Optional.of(new Evidence(laws, fallbacks, failing, answered, calls, drifted));
  }

  /**
   * In the newest slices that have figures of the stage, back to where the share was another one:
   * an outage that is over, or has just begun, says nothing of the other time.
   */
  private static double failing(StageBudget stage, Slices slices, int newest) {
    double failed = 0;
    double started = 0;
    List<StageWindow> windows =
        slices.all().reversed().stream()
            .flatMap(slice -> Stream.ofNullable(slice.stages().get(stage.name())))
            .limit(newest)
            .toList();
    for (StageWindow window : windows) {
      StageSample sample = StageSample.sum(List.of(window), slices.layout(), true);
      double refused = 0;
      for (Map.Entry<String, Double> skipped : sample.skipped().entrySet()) {
        refused += FORESEEN.contains(skipped.getKey()) ? 0 : skipped.getValue();
      }
      double here = sample.errors() + refused;
      double of = sample.calls() + refused;
      if (started > 0 && of > 0 && differ(failed, started, here, of)) {
        break;
      }
      failed += here;
      started += of;
    }
    return started > 0 ? failed / started : 0;
  }

  /** By more than three standard errors of two shares, and by enough to matter. */
  private static boolean differ(double some, double ofSome, double others, double ofOthers) {
    double all = (some + others) / (ofSome + ofOthers);
    double error = Math.sqrt(all * (1 - all) * (1 / ofSome + 1 / ofOthers));
    double difference = Math.abs(some / ofSome - others / ofOthers);
    return difference > Math.max(LEAST_DIFFERENCE, UNLIKELY * error);
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
            cutAt == null || (!slices.sinceLastMove(slice) && moves) ? null : Seconds.of(cutAt));
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
