package dev.ragjourney.pipeline;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stages before generate that run side by side, all moved on by the journey's thread. All start
 * from the same state, so none of them depends on which was first.
 *
 * <p>A step is over when every required stage has ended, and every optional one has ended or is
 * past its {@code degradeAfter}. A stage that fails the journey ends the others.
 */
final class Step {
  private final Trip trip;
  private final List<StageRun> runs;

  /**
   * @param so what every one of the stages works on
   * @param speculations what has been started for a stage
   */
  Step(
      Trip trip,
      List<Integer> stages,
      int level,
      Gathered so,
      IntFunction<@Nullable Speculation> speculations) {
    this.trip = trip;
    this.runs =
        stages.stream()
            .map(stage -> new StageRun(trip, stage, level, so, speculations.apply(stage)))
            .toList();
  }

  /**
   * Runs every stage to its end.
   *
   * @return one for each stage, in their order
   * @throws CallCancelledException if the caller has left; everything started is cut off by then
   */
  List<StageRun> run() throws CallCancelledException {
    runs.forEach(StageRun::start);
    try {
      while (true) {
        long next = advance(trip.now());
        if (over()) {
          return runs;
        }
        trip.await(next);
      }
    } catch (CallCancelledException callerLeft) {
      cancel(Cut.CALLER, new StageResult.Missing("caller", "the caller left"));
      throw callerLeft;
    }
  }

  /** What the step would have taken by the rules: as long as its longest stage. */
  long ruledNanos() {
    return runs.stream().mapToLong(StageRun::ruledNanos).max().orElse(0);
  }

  private long advance(long nowNanos) {
    long next = Bell.NEVER;
    for (StageRun run : runs) {
      next = Math.min(next, run.advance(nowNanos));
    }
    if (runs.stream().anyMatch(StageRun::failsJourney)) {
      cancel(Cut.UNWANTED, new StageResult.Missing("cancelled", "another stage failed"));
    } else if (alone() || !runs.stream().allMatch(run -> run.budget().optional() || ended(run))) {
      return next;
    }
    for (StageRun run : runs) {
      long late = run.lateNanos();
      if (late == Bell.NEVER || ended(run)) {
        continue;
      }
      if (nowNanos - late >= 0) {
        run.cancel(Cut.LOST, new StageResult.Missing("timeout", "the others did not wait for it"));
      } else {
        next = Math.min(next, late);
      }
    }
    return next;
  }

  /** Nobody waits for a stage that runs alone but what comes after it. */
  private boolean alone() {
    return runs.size() == 1;
  }

  private boolean over() {
    return runs.stream().allMatch(Step::ended);
  }

  private static boolean ended(StageRun run) {
    return run.result() != null;
  }

  private void cancel(Cut why, StageResult.Missing missing) {
    runs.forEach(run -> run.cancel(why, missing));
  }
}
