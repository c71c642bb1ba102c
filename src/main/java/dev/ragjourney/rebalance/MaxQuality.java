package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.PastMoves.Expected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule that looks for the most full answers while no more than the objective are missed: it
 * moves caps, and what each stage leaves to those after it, one limited step towards the best
 * settings that the measured laws allow.
 */
final class MaxQuality {
  /** From this many times the objective on a move that lowers the missed share needs less proof. */
  private static final double UNSAFE = 2;

  private static final double ERRORS_WHERE_UNSAFE = 1;

  /** After a change of the latencies caps and hold-backs may move so many times as far. */
  private static final int AFTER_DRIFT = 2;

  /** Of a cap, after the largest step down. */
  private static final double LEAST_LEFT = 0.5;

  /** The largest step of a hold-back, as a part of the total. */
  private static final int HOLD_STEPS = 15;

  private static final long ROUND_TO = 5_000_000;
  private static final double PERCENT = 100;

  private final JourneyBudget budget;
  private final RebalancePolicy policy;
  private final Evidence evidence;
  private final QualitySearch search;

  /** A step of the rule, and what it would give. */
  record Step(List<CapChange> changes, Forecast before, Forecast after, boolean worthIt) {
    Step {
      changes = List.copyOf(changes);
    }

    String summary() {
      return String.format(
          Locale.ROOT,
          "full answers %.1f %% → %.1f %%, missed %.1f %% → %.1f %%",
          before.full() * PERCENT,
          after.full() * PERCENT,
          before.miss() * PERCENT,
          after.miss() * PERCENT);
    }
  }

  MaxQuality(JourneyBudget budget, RebalancePolicy policy, Evidence evidence) {
    this.budget = budget;
    this.policy = policy;
    this.evidence = evidence;
    search = new QualitySearch(budget, policy, evidence);
  }

  Step step() {
    Settings inForce = search.inForce();
    Settings best = search.best();
    List<CapChange> changes = new ArrayList<>();
    List<StageBudget> stages = new ArrayList<>();
    for (int i = 0; i < budget.stages().size(); i++) {
      stages.add(limited(i, best, changes));
    }
    Settings limited = search.settings(budget.withStages(stages));
    Forecast before = search.forecast(inForce);
    Forecast after = search.forecast(limited);
    return new Step(
        changes,
        search.served(inForce),
        search.served(limited),
        worthIt(changes, inForce, limited, before, after));
  }

  /** What caps of another rule would give. */
  Forecast forecast(Map<String, Duration> caps) {
    List<StageBudget> stages =
        budget.stages().stream()
            .map(
                stage -> {
                  Duration cap = caps.get(stage.name());
                  return cap == null ? stage : stage.withCap(cap);
                })
            .toList();
    return search.served(search.settings(budget.withStages(stages)));
  }

  QualitySearch search() {
    return search;
  }

  private StageBudget limited(int index, Settings best, List<CapChange> changes) {
    StageBudget stage = budget.stages().get(index);
    StageModel model = search.model().stages().get(index);
    StageBudget result = stage;
    Duration cap = stage.cap();
    RebalancePolicy.CapRange range = policy.capRanges().get(stage.name());
    if (cap != null && range != null && !model.caps().fixed()) {
      Duration wanted = search.onGrid().cap(best.cap(index), range);
      Duration to = capStep(cap, wanted, range);
      boolean sameOnGrid = best.cap(index) == search.grid().upTo(cap);
      if (!sameOnGrid && !to.equals(cap)) {
        changes.add(new CapChange(stage.name(), cap, to, why(model, cap, to, wanted)));
        result = result.withCap(to);
      }
    }
    if (!model.holds().fixed()) {
      Duration least = search.onGrid().leastHold(index);
      Duration from = longer(least, stage.holdBack());
      Duration wanted = longer(least, search.onGrid().holdBack(index, best.hold(index)));
      Duration to = holdStep(from, wanted, least);
      if (!to.equals(from)) {
        changes.add(
            new CapChange(
                stage.name(), CapChange.Moved.HOLD_BACK, from, to, holdWhy(to, wanted, least)));
        result = result.withHoldBack(to);
      }
    }
    return result;
  }

  private Duration capStep(Duration cap, Duration wanted, RebalancePolicy.CapRange range) {
    double times = evidence.drifted() ? AFTER_DRIFT : 1;
    Duration most = rounded((long) (cap.toNanos() * (1 + policy.maxStepUp() * times)), false);
    double left = Math.max(1 - policy.maxStepDown() * times, LEAST_LEFT);
    Duration least = rounded((long) Math.ceil(cap.toNanos() * left), true);
    Duration near = rounded(wanted.toNanos() + ROUND_TO / 2, false);
    Duration stepped = shorter(longer(near, least), most);
    return range.nearest(stepped);
  }

  private Duration holdStep(Duration from, Duration wanted, Duration least) {
    long steps = evidence.drifted() ? AFTER_DRIFT : 1;
    Duration step =
        rounded(budget.total().multipliedBy(steps).dividedBy(HOLD_STEPS).toNanos(), false);
    Duration near = wanted.equals(least) ? least : rounded(wanted.toNanos() + ROUND_TO / 2, false);
    Duration stepped = shorter(longer(near, from.minus(step)), from.plus(step));
    boolean sameOnGrid = search.grid().points(stepped) == search.grid().points(from);
    return sameOnGrid ? from : stepped;
  }

  private boolean worthIt(
      List<CapChange> changes,
      Settings inForce,
      Settings limited,
      Forecast before,
      Forecast after) {
    if (changes.stream().noneMatch(this::beyondDeadBand)) {
      return false;
    }
    double free = search.objective().free();
    boolean unsafe = before.miss() > UNSAFE * free && after.miss() < before.miss();
    Expected gain = Comparison.of(search, evidence, inForce, limited).gain();
    return unsafe
        ? gain.gain() >= Math.max(Expected.LEAST_GAIN, ERRORS_WHERE_UNSAFE * gain.error())
        : gain.pays();
  }

  private boolean beyondDeadBand(CapChange change) {
    Duration scale =
        change.knob() == CapChange.Moved.CAP
            ? change.from()
            : longer(change.from(), budget.total().dividedBy(HOLD_STEPS));
    double moved = Math.abs(Seconds.of(change.to()) - Seconds.of(change.from()));
    return moved >= policy.deadBand() * Seconds.of(scale);
  }

  private String why(StageModel stage, Duration from, Duration to, Duration wanted) {
    String why =
        String.format(
            Locale.ROOT,
            "%.1f %% of the calls are longer than that, %.1f %% than before",
            stage.law().longer(search.grid().upTo(to)) * PERCENT,
            stage.law().longer(search.grid().upTo(from)) * PERCENT);
    return why + towards(to, wanted);
  }

  private static String holdWhy(Duration to, Duration wanted, Duration least) {
    String why = to.equals(least) ? "the least is enough" : "left to what comes after";
    return why + towards(to, wanted);
  }

  private static String towards(Duration to, Duration wanted) {
    return Math.abs(to.minus(wanted).toNanos()) > 2 * ROUND_TO + to.toNanos() / 100
        ? "; one step towards " + Seconds.text(wanted)
        : "";
  }

  private static Duration rounded(long nanos, boolean up) {
    long units = up ? Math.ceilDiv(nanos, ROUND_TO) : Math.floorDiv(nanos, ROUND_TO);
    return Duration.ofNanos(units * ROUND_TO);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Duration longer(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) >= 0 ? one : other;
  }
}
