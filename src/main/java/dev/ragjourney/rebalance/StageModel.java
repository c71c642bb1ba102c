package dev.ragjourney.rebalance;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One stage on the points of a grid: its laws, and what its times are at each level.
 *
 * @param law of its own call
 * @param fallbackLaw of its fallback; null for a stage without one
 * @param failing share of its own calls that fail, at once as far as time goes
 * @param cancels its own call ends when the fallback starts
 * @param fatal without its result there is no answer
 * @param failAfter the fallback starts then at the latest, from the stage's start
 * @param fallbackCap the most that the fallback takes
 * @param fallbackLead what is kept for the fallback before the end of the time
 * @param fallbackNeeds the fallback is not tried with less than this left
 * @param levels the stage's times at each level that runs stages, best first
 * @param caps what may be chosen
 * @param holds what may be kept for later stages at the first level
 */
record StageModel(
    CellLaw law,
    @Nullable CellLaw fallbackLaw,
    double failing,
    boolean cancels,
    boolean fatal,
    int failAfter,
    int fallbackCap,
    int fallbackLead,
    int fallbackNeeds,
    List<AtLevel> levels,
    Range caps,
    Range holds) {

  StageModel {
    levels = List.copyOf(levels);
  }

  /**
   * @param runs the level runs the stage
   * @param hold what is kept for later stages
   * @param drawn what is kept while a fallback runs
   * @param latest the last start at which the level is possible
   */
  record AtLevel(boolean runs, int hold, int drawn, int latest) {}

  /** From lowest to highest; a knob that may not move has one value. */
  record Range(int lowest, int highest) {
    static Range only(int value) {
      return new Range(value, value);
    }

    boolean fixed() {
      return lowest == highest;
    }

    int clamp(int value) {
      return Math.clamp(value, lowest, highest);
    }
  }

  StageModel withLaw(CellLaw newLaw) {
    return with(newLaw, fallbackLaw, levels);
  }

  /** At every level. */
  StageModel skipped() {
    return with(
        law,
        fallbackLaw,
        levels.stream().map(at -> new AtLevel(false, at.hold(), at.drawn(), at.latest())).toList());
  }

  /** In a journey that begins at a level: below the first one hold-backs do not move. */
  StageModel from(int level) {
    return level == 0
        ? this
        : with(
            law,
            fallbackLaw,
            levels.subList(level, levels.size()),
            caps,
            Range.only(levels.get(level).hold()));
  }

  /** With knobs that may not move. */
  StageModel fixedAt(int cap, int hold) {
    return with(law, fallbackLaw, levels, Range.only(cap), Range.only(hold));
  }

  /** In a journey that has so much more time. */
  StageModel withMore(int points) {
    return with(
        law.withMore(points),
        fallbackLaw == null ? null : fallbackLaw.withMore(points),
        levels.stream()
            .map(at -> new AtLevel(at.runs(), at.hold(), at.drawn(), at.latest() + points))
            .toList());
  }

  private StageModel with(CellLaw newLaw, @Nullable CellLaw newFallback, List<AtLevel> newLevels) {
    return with(newLaw, newFallback, newLevels, caps, holds);
  }

  private StageModel with(
      CellLaw newLaw,
      @Nullable CellLaw newFallback,
      List<AtLevel> newLevels,
      Range newCaps,
      Range newHolds) {
    return new StageModel(
        newLaw,
        newFallback,
        failing,
        cancels,
        fatal,
        failAfter,
        fallbackCap,
        fallbackLead,
        fallbackNeeds,
        newLevels,
        newCaps,
        newHolds);
  }

  CellLaw fallback() {
    return Objects.requireNonNull(fallbackLaw, "a stage without a fallback");
  }
}
