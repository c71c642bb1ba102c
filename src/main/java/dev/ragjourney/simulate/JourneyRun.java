package dev.ragjourney.simulate;

import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.simulate.Call.Cut;
import dev.ragjourney.simulate.StageRun.Result;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One request's way through the stages, as the pod goes it: at every stage the time left picks the
 * level, and the level picks what runs. Moved on from moment to moment; may be used again.
 */
final class JourneyRun {
  private final World world;
  private final Helps helps;
  private final StageRun[] stages;
  private final int[] drawn;
  private final int lastLevel;
  private final boolean searches;
  private final boolean lastToken;
  private final @Nullable Counts counts;
  private final Happened happened;

  private Latencies latencies = (law, ordinal) -> 0;
  private boolean onTrial;
  private long arrival;
  private int level;
  private int step;
  private int stepEnd;
  private boolean running;
  private boolean generates;
  private boolean firstTry;
  private boolean formats;
  private boolean found;
  private boolean toolText;
  private @Nullable Outcome outcome;
  private int reportedLevel;
  private long endNanos;

  /**
   * @param counts null where nobody asks
   */
  JourneyRun(World world, Helps helps, Servers servers, @Nullable Counts counts) {
    this.world = world;
    this.helps = helps;
    this.counts = counts;
    SimulatedJourney journey = world.journey();
    stages = new StageRun[journey.stages()];
    for (int s = 0; s < stages.length; s++) {
      StageBudget budget = journey.budget().stages().get(s);
      stages[s] = new StageRun(this, s, budget, world.table(), servers);
    }
    drawn = new int[world.keys().size()];
    lastLevel = journey.budget().levels().size() - 1;
    searches = journey.searches();
    lastToken = journey.budget().countTo() == CountTo.LAST_TOKEN;
    happened = new Happened(journey);
  }

  /**
   * @param tries the journey leaves nothing out
   */
  void begin(Latencies of, long now, boolean tries) {
    latencies = of;
    arrival = now;
    onTrial = tries;
    level = tries ? 0 : world.startLevel();
    step = 0;
    stepEnd = 0;
    running = false;
    generates = false;
    formats = false;
    found = false;
    toolText = false;
    outcome = null;
    Arrays.fill(drawn, 0);
    happened.clear();
  }

  /** Runs to its end where calls end by themselves. */
  void run(Latencies of, boolean tries) {
    begin(of, 0, tries);
    long now = 0;
    while (outcome == null) {
      now = advance(now);
    }
  }

  /**
   * @return when to be moved on again; {@link Call#NEVER} once it is over
   */
  long advance(long now) {
    while (outcome == null) {
      if (!running) {
        nextStep(now);
      } else {
        long next = advanceStep(now);
        if (running) {
          return next;
        }
      }
    }
    return Call.NEVER;
  }

  private void nextStep(long now) {
    step = stepEnd;
    if (step >= stages.length) {
      fixed(now);
      return;
    }
    stepEnd = world.table().stepEnd(step);
    for (int s = step; s < stepEnd; s++) {
      level = world.table().level(s, level, remaining(now));
    }
    if (!world.answersFromStages(level)) {
      fixed(now);
      return;
    }
    for (int s = step; s < stepEnd; s++) {
      if (!world.runs(s, level)) {
        skipped(s, "level");
      } else if (leavesOut(s)) {
        leaveOut(s);
      } else if (world.type(s) == StageType.GENERATE) {
        beginGenerate(now);
      } else {
        stages[s].begin(level, now, true, false);
        running = true;
      }
    }
  }

  private long advanceStep(long now) {
    long next = Call.NEVER;
    boolean failed = false;
    boolean allOver = true;
    boolean waiting = false;
    for (int s = step; s < stepEnd; s++) {
      if (takesPart(s)) {
        next = Math.min(next, stages[s].advance(now));
        boolean over = stages[s].result() != null;
        failed |= over && stages[s].failsJourney();
        allOver &= over;
        waiting |= !over && !stages[s].budget().optional();
      }
    }
    if (generates) {
      if (!allOver) {
        return next;
      }
      endGenerate(now);
      // Another rung, or a tool that works on the answer, may have begun.
      return running ? advanceStep(now) : next;
    }
    if (failed) {
      for (int s = step; s < stepEnd; s++) {
        if (takesPart(s)) {
          stages[s].cancel(Cut.UNWANTED, Result.CANCELLED, now);
        }
      }
      allOver = true;
    } else if (!allOver && !waiting && stepEnd - step > 1) {
      next = leaveLate(now, next);
      allOver = next == Call.NEVER;
    }
    if (allOver) {
      endStep(now);
    }
    return next;
  }

  /** Nobody waits for an optional stage beside others once it is late. */
  private long leaveLate(long now, long until) {
    long next = until;
    int beside = 0;
    for (int s = step; s < stepEnd; s++) {
      beside += takesPart(s) ? 1 : 0;
    }
    if (beside < 2) {
      return until;
    }
    boolean allOver = true;
    for (int s = step; s < stepEnd; s++) {
      if (takesPart(s) && stages[s].result() == null) {
        long late = stages[s].lateNanos();
        if (late <= now) {
          stages[s].cancel(Cut.LOST, Result.TIMEOUT, now);
        } else {
          allOver = false;
          next = Math.min(next, late);
        }
      }
    }
    return allOver ? Call.NEVER : next;
  }

  private boolean takesPart(int stage) {
    return formats || (world.runs(stage, level) && !leavesOut(stage));
  }

  private boolean leavesOut(int stage) {
    return !onTrial && world.leftOut(stage);
  }

  private void leaveOut(int stage) {
    happened.missing(stage);
    skipped(stage, "level");
  }

  private void endStep(long now) {
    running = false;
    boolean failed = false;
    for (int s = step; s < stepEnd; s++) {
      if (takesPart(s)) {
        failed |= stages[s].failsJourney() && stages[s].result() != Result.CANCELLED;
        take(s);
      }
    }
    if (formats) {
      written(now);
    } else if (failed) {
      fixed(now);
    }
  }

  private void take(int stage) {
    StageRun run = stages[stage];
    tell(run);
    if (run.missing()) {
      miss(stage, run.result());
      return;
    }
    if (run.result() == Result.BY_FALLBACK) {
      happened.fallback(stage);
    }
    found |= world.type(stage) == StageType.SEARCH;
    toolText |= world.type(stage) == StageType.TOOL;
  }

  private void tell(StageRun run) {
    if (counts != null) {
      run.tell(counts);
    }
  }

  private void miss(int stage, @Nullable Result why) {
    happened.missing(stage);
    if (why == Result.NO_TIME) {
      skipped(stage, "no_time");
    }
  }

  private void skipped(int stage, String reason) {
    if (counts != null) {
      counts.stage(stage).skipped(reason);
    }
  }

  private void beginGenerate(long now) {
    if (searches && !found && !toolText) {
      happened.less();
      if (world.journey().refuseWithoutContext()) {
        over(Outcome.ERROR, level, now);
        return;
      }
    }
    generates = true;
    firstTry = true;
    happened.noneTried();
    write(now);
  }

  private void write(long now) {
    running = true;
    stages[step].begin(level, now, firstTry, lastToken);
  }

  private void endGenerate(long now) {
    StageRun run = stages[step];
    tell(run);
    running = false;
    if (!run.missing()) {
      generates = false;
      if (run.result() == Result.BY_FALLBACK) {
        happened.fallback(step);
      }
      format(now);
      return;
    }
    happened.tried(step, level, run.asked(), run.askedFallback());
    firstTry = false;
    do {
      int below = Math.min(level + 1, lastLevel);
      level = world.table().level(step, below, remaining(now));
    } while (world.answersFromStages(level) && happened.hasTried(step, level));
    if (world.answersFromStages(level)) {
      write(now);
    } else {
      miss(step, run.result());
      fixed(now);
    }
  }

  /** A tool may still work on the answer; without it the answer stays as it is. */
  private void format(long now) {
    int tool = step + 1;
    if (tool >= stages.length) {
      written(now);
    } else if (!world.runs(tool, level)) {
      skipped(tool, "level");
      written(now);
    } else if (leavesOut(tool)) {
      leaveOut(tool);
      written(now);
    } else {
      formats = true;
      step = tool;
      stepEnd = tool + 1;
      stages[tool].begin(level, now, true, false);
      running = true;
    }
  }

  private void written(long now) {
    int reported = happened.level(level);
    boolean full = reported == 0 && happened.full();
    Outcome made = full ? Outcome.FULL : Outcome.DEGRADED;
    over(remaining(now) < 0 ? Outcome.LATE : made, reported, now);
  }

  private void fixed(long now) {
    over(Outcome.STATIC, lastLevel, now);
  }

  private void over(Outcome as, int reported, long now) {
    outcome = as;
    reportedLevel = reported;
    endNanos = now;
    running = false;
    if (counts != null) {
      counts.answer(as, world.journey().budget().levels().get(reported).name());
    }
  }

  /** The next call's time under a law. */
  long draw(int stage, int law) {
    boolean nothingToRank = world.type(stage) == StageType.RERANK && !found;
    return nothingToRank ? 0 : latencies.nanos(law, drawn[law]++);
  }

  long remaining(long now) {
    return world.totalNanos() - (now - arrival);
  }

  World world() {
    return world;
  }

  Helps helps() {
    return helps;
  }

  /** Null while it runs. */
  @Nullable Outcome outcome() {
    return outcome;
  }

  int reportedLevel() {
    return reportedLevel;
  }

  /** When it was answered. */
  long endNanos() {
    return endNanos;
  }
}
