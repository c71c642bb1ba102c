package dev.ragjourney.pipeline;

import java.util.List;

/** Stages before generate that run side by side, all moved on by the journey's thread. */
final class Step {
  private final Trip trip;
  private final List<StageRun> runs;

  /**
   * @param so what every one of the stages works on
   */
  Step(Trip trip, List<Integer> stages, int level, Gathered so) {
    this.trip = trip;
    this.runs = stages.stream().map(stage -> new StageRun(trip, stage, level, so)).toList();
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
        if (runs.stream().allMatch(run -> run.result() != null)) {
          return runs;
        }
        trip.await(next);
      }
    } catch (CallCancelledException callerLeft) {
      StageResult.Missing left = new StageResult.Missing("caller", "the caller left");
      runs.forEach(run -> run.cancel(Cut.CALLER, left));
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
    return next;
  }
}
