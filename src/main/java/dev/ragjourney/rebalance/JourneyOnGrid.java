package dev.ragjourney.rebalance;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.BudgetTable;
import dev.ragjourney.budget.FallbackBudget;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.rebalance.StageModel.AtLevel;
import dev.ragjourney.rebalance.StageModel.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A journey's budget and the laws of its stages, on a grid. Lower levels are given the full form's
 * laws: their own are faster if anything.
 */
final class JourneyOnGrid {
  private static final double WHOLE = 1;

  /** A hold-back of more than that share of the time serves nobody. */
  private static final double MOST_HELD = 0.7;

  /** From this share of calls that end on, a stage is one that works. */
  private static final double MOSTLY = 0.5;

  /** Share of the calls that end, which a cap lets end at the least. */
  private static final double MOSTLY_SERVED = 0.75;

  private final JourneyBudget budget;
  private final BudgetTable floors;
  private final Grid grid;
  private final Duration last;
  private final int levels;

  private JourneyOnGrid(JourneyBudget budget, Grid grid) {
    this.budget =
        budget.withStages(budget.stages().stream().map(stage -> stage.withHoldBack(null)).toList());
    this.grid = grid;
    floors = BudgetTable.of(this.budget);
    last = kept(budget, floors);
    int running = 0;
    for (FallbackLevel level : budget.levels()) {
      if (level.answer() != AnswerSource.STAGES) {
        break;
      }
      running++;
    }
    levels = running;
  }

  /** What is left for the stages: all but what is kept behind the last one. */
  static Duration horizon(JourneyBudget budget) {
    return budget.total().minus(kept(budget, BudgetTable.of(budget)));
  }

  private static Duration kept(JourneyBudget budget, BudgetTable table) {
    return Duration.ofNanos(table.reserve(budget.stages().size() - 1, WHOLE));
  }

  static JourneyOnGrid of(JourneyBudget budget, Grid grid) {
    return new JourneyOnGrid(budget, grid);
  }

  /**
   * @param laws on this grid, by stage
   * @param fallbacks on this grid, by stage; one that is absent takes as long as it may
   * @param failing share of the calls that fail, by stage; absent for none
   * @param ranges of the caps that may move
   */
  JourneyModel model(
      Map<String, CellLaw> laws,
      Map<String, CellLaw> fallbacks,
      Map<String, Double> failing,
      Map<String, RebalancePolicy.CapRange> ranges) {
    List<StageModel> stages = new ArrayList<>();
    for (int i = 0; i < budget.stages().size(); i++) {
      stages.add(stage(i, laws, fallbacks, failing, ranges));
    }
    return new JourneyModel(grid.last(), stages, steps(), levels);
  }

  /** The caps and hold-backs that a budget has in force. */
  Settings settings(JourneyBudget inForce) {
    int[] caps = new int[inForce.stages().size()];
    int[] holds = new int[caps.length];
    for (int i = 0; i < caps.length; i++) {
      Duration cap = inForce.stages().get(i).cap();
      Duration hold = inForce.stages().get(i).holdBack();
      int least = least(i);
      caps[i] = cap == null ? grid.last() : grid.upTo(cap);
      holds[i] = hold == null ? least : Math.max(least, grid.points(plus(hold, i)));
    }
    return Settings.of(caps, holds);
  }

  /**
   * A cap as the budget has it. The ends of its range are its ends, whatever the grid makes of
   * them.
   */
  Duration cap(int points, RebalancePolicy.CapRange range) {
    if (points == highest(range)) {
      return range.max();
    }
    return points == grid.upTo(range.min()) ? range.min() : Seconds.toDuration(grid.limit(points));
  }

  private int highest(RebalancePolicy.CapRange range) {
    return Math.max(grid.upTo(range.min()), grid.upTo(range.max()));
  }

  /** A hold-back as the budget has it, beside the reserve. */
  Duration holdBack(int stage, int points) {
    Duration held = Seconds.toDuration(grid.seconds(points)).minus(plus(Duration.ZERO, stage));
    return held.isNegative() ? Duration.ZERO : held;
  }

  /**
   * What a stage keeps in any case, beside the reserve: the floors of those after it, and the time
   * of its own fallback.
   */
  Duration leastHold(int stage) {
    FallbackBudget fallback = budget.stages().get(stage).fallback();
    long floor = floors.holdback(stage, 0, WHOLE);
    long drawn =
        fallback == null ? 0 : floors.drawnHoldback(stage, 0, WHOLE) + fallback.cap().toNanos();
    return Duration.ofNanos(Math.max(floor, drawn) - floors.reserve(stage, WHOLE));
  }

  /**
   * The time that a stage's fallback has, where all its calls have the same: a model's that starts
   * when the time is up runs as long as was kept for it, any other one's up to its own cap. Null
   * for a stage without a fallback, and where the time varies from journey to journey.
   */
  @Nullable Duration fallbackTime(int stage, @Nullable Duration holdBack) {
    StageBudget of = budget.stages().get(stage);
    if (of.fallback() == null) {
      return null;
    }
    if (of.type() != StageType.GENERATE) {
      return of.fallback().cap();
    }
    if (of.cap() != null || of.degradeAfter() != null || of.expectedP95() != null) {
      return null;
    }
    Duration least = leastHold(stage);
    Duration held = holdBack == null || holdBack.compareTo(least) < 0 ? least : holdBack;
    long drawn = floors.drawnHoldback(stage, 0, WHOLE) - floors.reserve(stage, WHOLE);
    return held.minusNanos(drawn);
  }

  private int least(int stage) {
    return grid.points(plus(leastHold(stage), stage));
  }

  /** Stages before the last one keep the plain reserve, which may be less than the last one's. */
  private Duration plus(Duration hold, int stage) {
    return hold.plusNanos(floors.reserve(stage, WHOLE)).minus(last);
  }

  private List<List<Integer>> steps() {
    List<List<Integer>> steps = new ArrayList<>();
    for (int i = 0; i < budget.stages().size(); i = floors.stepEnd(i)) {
      List<Integer> step = new ArrayList<>();
      for (int s = i; s < floors.stepEnd(i); s++) {
        step.add(s);
      }
      steps.add(step);
    }
    return steps;
  }

  private StageModel stage(
      int index,
      Map<String, CellLaw> laws,
      Map<String, CellLaw> fallbacks,
      Map<String, Double> failing,
      Map<String, RebalancePolicy.CapRange> ranges) {
    StageBudget stage = budget.stages().get(index);
    FallbackBudget fallback = stage.fallback();
    Duration failAfter = stage.degradeAfter() != null ? stage.degradeAfter() : stage.expectedP95();
    boolean generates = stage.type() == StageType.GENERATE;
    int lead = fallback == null ? 0 : grid.points(fallback.cap());
    return new StageModel(
        Objects.requireNonNull(laws.get(stage.name()), stage.name()),
        fallback == null ? null : fallbacks.getOrDefault(stage.name(), takes(lead)),
        failing.getOrDefault(stage.name(), 0.0),
        fallback != null && fallback.cancelPrimary(),
        !stage.optional() && stage.type() != StageType.EMBED && stage.type() != StageType.SEARCH,
        failAfter == null ? grid.last() : grid.upTo(failAfter),
        generates ? grid.last() + 1 : lead,
        lead,
        fallback == null ? 0 : grid.points(fallback.minRemaining().minus(last)),
        levels(index),
        caps(
            stage,
            ranges.get(stage.name()),
            leastCap(Objects.requireNonNull(laws.get(stage.name()), stage.name()))),
        holds(index, stage));
  }

  private CellLaw takes(int points) {
    double[] mass = new double[grid.last() + 1];
    mass[Math.min(points, grid.last())] = 1;
    return CellLaw.ofMass(mass);
  }

  private List<AtLevel> levels(int index) {
    List<AtLevel> at = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      at.add(
          new AtLevel(
              !budget.levels().get(level).skip().contains(budget.stages().get(index).name()),
              hold(index, level),
              grid.points(Duration.ofNanos(floors.drawnHoldback(index, level, WHOLE)).minus(last)),
              latest(index, level)));
    }
    return at;
  }

  private int hold(int index, int level) {
    return grid.points(Duration.ofNanos(floors.holdback(index, level, WHOLE)).minus(last));
  }

  /** A stage that was cut to leave this one its time still leaves it its level. */
  private int latest(int index, int level) {
    Duration threshold = Duration.ofNanos(floors.threshold(index, level));
    Duration within = budget.total().minus(threshold);
    int latest = within.isPositive() ? grid.upTo(within) : -1;
    for (int before = 0; before < index; before++) {
      if (floors.holdback(before, level, WHOLE) > threshold.toNanos()) {
        latest = Math.max(latest, grid.last() - hold(before, level));
      }
    }
    return latest;
  }

  /**
   * The objective sees full and missed answers only. While some other stage lets no answer be full,
   * it would cut every optional stage to nothing for a little more time; so no cap is looked for
   * below what most of the calls take that end at all. A stage that mostly hangs has no such limit.
   */
  private static int leastCap(CellLaw law) {
    double ending = 1 - law.longer(law.last());
    return ending < MOSTLY ? 0 : law.quantile(MOSTLY_SERVED * ending);
  }

  private Range caps(StageBudget stage, RebalancePolicy.@Nullable CapRange range, int leastByLaw) {
    Duration cap = stage.cap();
    if (cap == null) {
      return Range.only(grid.last());
    }
    if (range == null || !runsAtFirst(stage)) {
      return Range.only(grid.upTo(cap));
    }
    int highest = highest(range);
    return new Range(Math.clamp(leastByLaw, grid.upTo(range.min()), highest), highest);
  }

  private Range holds(int index, StageBudget stage) {
    int least = least(index);
    boolean lastWithoutFallback = index == budget.stages().size() - 1 && stage.fallback() == null;
    return lastWithoutFallback || !runsAtFirst(stage)
        ? Range.only(least)
        : new Range(least, Math.max(least, (int) (grid.last() * MOST_HELD)));
  }

  private boolean runsAtFirst(StageBudget stage) {
    return !budget.levels().getFirst().skip().contains(stage.name());
  }
}
