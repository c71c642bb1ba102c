package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import dev.ragjourney.rebalance.CapChange.Moved;
import dev.ragjourney.rebalance.LadderChange;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy.CapRange;
import dev.ragjourney.rebalance.RebalancePolicy.Mode;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rebalanced caps that hold for a spec. The plan's ConfigMap is their record.
 *
 * <p>A cap is kept only where nothing changed that it was measured on: a changed total drops all, a
 * changed stage (its time, its forms or the backends of its forms) drops its own. Outside mode Auto
 * the declared caps hold.
 */
final class CapsInForce {
  private CapsInForce() {}

  /**
   * @param declared the spec's plan with its declared caps
   * @param current the newest plan that is there; null for none
   * @param round the latest decision; its move is carried out if it was made on {@code current}
   */
  static Map<String, Duration> of(
      ParsedJourney journey, Plan declared, @Nullable LivePlan current, @Nullable Round round) {
    Plan before = current == null ? null : current.plan();
    if (before == null
        || journey.rebalance().mode() != Mode.AUTO
        || !before.budget().total().equals(declared.budget().total())) {
      return Map.of();
    }
    Map<String, Duration> moved = changes(round, before, Moved.CAP);
    Map<String, Duration> caps = new LinkedHashMap<>();
    for (StageBudget stage : declared.budget().stages()) {
      Optional<StageBudget> earlier = unchanged(stage, declared, before);
      if (earlier.isEmpty() || stage.cap() == null) {
        continue;
      }
      Duration cap = moved.getOrDefault(stage.name(), earlier.get().cap());
      if (cap != null) {
        caps.put(stage.name(), within(cap, journey.rebalance().capRanges().get(stage.name())));
      }
    }
    return caps;
  }

  /**
   * The hold-backs in force, by stage: those of rule MaxQuality. A hold-back is measured on the
   * stages that it serves, so a changed stage drops its own and all before it.
   */
  static Map<String, Duration> holdBacks(
      ParsedJourney journey, Plan declared, @Nullable LivePlan current, @Nullable Round round) {
    Plan before = current == null ? null : current.plan();
    if (before == null
        || journey.rebalance().mode() != Mode.AUTO
        || journey.rebalance().rule() != Rule.MAX_QUALITY
        || !before.budget().total().equals(declared.budget().total())
        || before.budget().stages().size() != declared.budget().stages().size()) {
      return Map.of();
    }
    Map<String, Duration> moved = changes(round, before, Moved.HOLD_BACK);
    Map<String, Duration> holdBacks = new LinkedHashMap<>();
    for (StageBudget stage : declared.budget().stages().reversed()) {
      Optional<StageBudget> earlier = unchanged(stage, declared, before);
      if (earlier.isEmpty()) {
        break;
      }
      Duration holdBack = moved.getOrDefault(stage.name(), earlier.get().holdBack());
      if (holdBack != null) {
        holdBacks.put(stage.name(), holdBack);
      }
    }
    return holdBacks;
  }

  /**
   * What journeys leave out, by rule MaxQuality alone. A stage stays out as long as its spec is the
   * same, it is optional and its cap may move; a lower level is begun at as long as no level and no
   * stage changes.
   */
  static LeftOut leftOut(
      ParsedJourney journey, Plan declared, @Nullable LivePlan current, @Nullable Round round) {
    Plan before = current == null ? null : current.plan();
    if (before == null
        || journey.rebalance().mode() != Mode.AUTO
        || journey.rebalance().rule() != Rule.MAX_QUALITY
        || !before.budget().total().equals(declared.budget().total())) {
      return LeftOut.NOTHING;
    }
    LadderChange change = ladder(round, before);
    LeftOut left =
        change == null ? before.budget().leaves() : change.carriedOut(before.budget()).leaves();
    boolean same = before.budget().stages().size() == declared.budget().stages().size();
    Set<String> mayStay = new HashSet<>();
    for (StageBudget stage : declared.budget().stages()) {
      boolean unchanged = unchanged(stage, declared, before).isPresent();
      same &= unchanged;
      CapRange range = journey.rebalance().capRanges().get(stage.name());
      if (unchanged && stage.optional() && range != null && !range.pinned()) {
        mayStay.add(stage.name());
      }
    }
    left = left.keeping(mayStay::contains);
    boolean sameLevels =
        before.budget().levels().equals(declared.budget().levels())
            && before.levels().equals(declared.levels());
    return same && sameLevels ? left : left.from(null);
  }

  private static @Nullable LadderChange ladder(@Nullable Round round, Plan basis) {
    return round != null
            && round.basis() == basis.revision()
            && round.decision() instanceof RebalanceDecision.Move move
        ? move.ladder()
        : null;
  }

  /**
   * When the spec of each stage last changed: now where it differs from the plan that is there. Of
   * a journey without a plan every stage is new, whatever a former one of its name has measured.
   */
  static Map<String, Instant> changed(Plan declared, @Nullable LivePlan current, Instant now) {
    Instant second = now.truncatedTo(ChronoUnit.SECONDS);
    Plan before = current == null ? null : current.plan();
    Map<String, Instant> known = current == null ? Map.of() : current.changed();
    Map<String, Instant> changed = new LinkedHashMap<>();
    for (StageBudget stage : declared.budget().stages()) {
      boolean same =
          before != null
              && before.budget().total().equals(declared.budget().total())
              && unchanged(stage, declared, before).isPresent();
      Instant time = same ? known.get(stage.name()) : second;
      if (time != null) {
        changed.put(stage.name(), time);
      }
    }
    return changed;
  }

  /** Whether a move was decided on this very plan. */
  static boolean moves(@Nullable Round round, Plan basis) {
    return !changes(round, basis, Moved.CAP).isEmpty()
        || !changes(round, basis, Moved.HOLD_BACK).isEmpty()
        || ladder(round, basis) != null;
  }

  private static Map<String, Duration> changes(@Nullable Round round, Plan basis, Moved knob) {
    Map<String, Duration> changes = new LinkedHashMap<>();
    if (round != null
        && round.basis() == basis.revision()
        && round.decision() instanceof RebalanceDecision.Move move) {
      move.changes().stream()
          .filter(change -> change.knob() == knob)
          .forEach(change -> changes.put(change.stage(), change.to()));
    }
    return changes;
  }

  private static Optional<StageBudget> unchanged(StageBudget stage, Plan declared, Plan before) {
    return before.budget().stages().stream()
        .filter(earlier -> earlier.name().equals(stage.name()))
        .filter(earlier -> sameButRebalanced(earlier, stage))
        .filter(earlier -> forms(declared, stage.name()).equals(forms(before, stage.name())))
        .findFirst();
  }

  private static boolean sameButRebalanced(StageBudget earlier, StageBudget now) {
    Duration cap = earlier.cap();
    StageBudget held = now.withHoldBack(earlier.holdBack());
    return cap == null ? earlier.equals(held) : held.withCap(cap).equals(earlier);
  }

  /** The stage's forms and the backends they name. */
  private static Set<Object> forms(Plan plan, String stage) {
    Set<Object> forms = new HashSet<>();
    Set<String> backends = new HashSet<>();
    for (StagePlan candidate : plan.stages()) {
      if (candidate.name().equals(stage)) {
        forms.add(candidate);
        Stream.of(
                candidate.variants().stream(),
                Stream.ofNullable(candidate.fallback()),
                Stream.ofNullable(candidate.speculative()))
            .flatMap(each -> each)
            .map(VariantPlan::backend)
            .forEach(backends::add);
      }
    }
    for (BackendPlan backend : plan.backends()) {
      if (backends.contains(backend.name())) {
        forms.add(backend);
      }
    }
    return forms;
  }

  private static Duration within(Duration cap, @Nullable CapRange range) {
    return range == null ? cap : range.nearest(cap);
  }
}
