package dev.ragjourney.budget;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * floor(j, L): the time that the stages before j leave to it at level L.
 *
 * <p>Generate: the level's own, else declared × L.minRemaining / full.minRemaining. Any other
 * required stage: the level's own, else declared, else the expected median, else 0. Optional and
 * skipped stages: 0.
 */
final class Floors {
  private Floors() {}

  static long nanos(JourneyBudget budget, int stage, int level) {
    StageBudget of = budget.stages().get(stage);
    FallbackLevel at = budget.levels().get(level);
    if (of.optional() || !runs(at, of)) {
      return 0;
    }
    LevelStage own = levelStage(at, of.name());
    Duration ownFloor = own == null ? null : own.floor();
    if (ownFloor != null) {
      return ownFloor.toNanos();
    }
    if (of.type() == StageType.GENERATE) {
      return scaled(declared(of), at.minRemaining(), budget.levels().getFirst().minRemaining());
    }
    return declared(of);
  }

  /** The level runs stages, and this one among them. */
  static boolean runs(FallbackLevel level, StageBudget stage) {
    return level.answer() == AnswerSource.STAGES && !level.skip().contains(stage.name());
  }

  static @Nullable LevelStage levelStage(FallbackLevel level, String stage) {
    for (LevelStage candidate : level.stages()) {
      if (candidate.stage().equals(stage)) {
        return candidate;
      }
    }
    return null;
  }

  private static long declared(StageBudget stage) {
    Duration median = stage.expectedP50();
    return stage.floor().isZero() && median != null ? median.toNanos() : stage.floor().toNanos();
  }

  private static long scaled(long floor, Duration part, Duration whole) {
    if (whole.isZero() || part.compareTo(whole) >= 0) {
      return floor;
    }
    return Math.round((double) floor * part.toNanos() / whole.toNanos());
  }
}
