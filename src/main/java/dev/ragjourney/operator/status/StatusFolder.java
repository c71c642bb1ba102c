package dev.ragjourney.operator.status;

import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.EffectiveStatus;
import dev.ragjourney.crd.status.JourneyStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RungStatus;
import dev.ragjourney.crd.status.StageStatus;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.RebalancePolicy;
import io.fabric8.kubernetes.api.model.Service;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole status of a journey from one observation. Every condition is there on every pass; one
 * whose signal is not there yet is Unknown and says so. A condition's transition time changes with
 * its status only, and its message only when it says something else.
 */
public final class StatusFolder {
  /** Their messages hold figures that wobble from round to round. */
  private static final Set<String> OF_ROUNDS =
      Set.of(
          Types.METRICS_AVAILABLE,
          Types.REBALANCED,
          Types.WITHIN_BUDGET,
          Types.DEGRADED_RATE_HIGH,
          Types.STAGE_STARVED,
          Types.GENERATE_STARTS_LATE);

  private StatusFolder() {}

  public static RagJourneyStatus fold(Observation seen, Desired desired) {
    RagJourneyStatus last = seen.journey().lastStatus();
    Plan plan = plan(seen, desired);
    Round round = seen.round();
    JourneyStatus journey = FiguresFold.journey(last, round);
    List<StageStatus> stages = stages(plan, last, round);
    return new RagJourneyStatus(
        seen.journey().generation(),
        conditions(seen, desired, plan, new MetricsFold.Shown(journey, stages, leaves(plan))),
        endpoint(seen),
        PlanFold.status(seen, plan),
        effective(last, desired),
        stages,
        journey,
        RebalanceFold.status(
            last == null ? null : last.rebalance(),
            lastMove(seen, desired),
            round,
            plan,
            rule(desired)),
        rungs(plan, last, round));
  }

  private static List<Condition> conditions(
      Observation seen, Desired desired, @Nullable Plan plan, MetricsFold.Shown shown) {
    Map<String, Condition> last = byType(seen.journey().lastStatus());
    Map<String, Verdict> verdicts = new HashMap<>();
    ReadyFold.verdicts(seen, desired).forEach(v -> verdicts.put(v.type(), v));
    verdicts.put(Types.FEASIBLE, FeasibleFold.verdict(desired));
    if (!PlanFold.undecided(seen, plan)) {
      verdicts.put(Types.PLAN_DELIVERED, PlanFold.verdict(seen, plan));
    }
    Round round = seen.round();
    if (round != null && desired instanceof Desired.Objects objects) {
      MetricsFold.verdicts(round, shown, objects.journey(), objects.lastMove(), last)
          .forEach(v -> verdicts.put(v.type(), v));
    }
    verdicts.put(
        Types.STAGE_REGRESSED,
        Verdict.unknown(
            Types.STAGE_REGRESSED,
            "NoBaseline",
            "no baseline of the past days is kept yet to compare with"));
    String now = seen.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<Condition> conditions = new ArrayList<>();
    for (String type : Types.ALL) {
      Condition before = last.get(type);
      Verdict verdict = verdicts.get(type);
      if (verdict == null && before != null) {
        conditions.add(before);
      } else {
        conditions.add(
            condition(
                verdict == null ? noRoundYet(type) : verdict,
                before,
                seen.journey().generation(),
                now));
      }
    }
    return conditions;
  }

  private static Verdict noRoundYet(String type) {
    return Verdict.unknown(type, "NoRoundYet", "the first round has not been made yet");
  }

  private static Condition condition(
      Verdict verdict, @Nullable Condition before, long generation, String now) {
    if (before == null || !verdict.status().equals(before.status())) {
      return new Condition(
          verdict.type(), verdict.status(), verdict.reason(), verdict.message(), now, generation);
    }
    boolean wobblesOnly =
        OF_ROUNDS.contains(verdict.type())
            && verdict.reason().equals(before.reason())
            && Objects.equals(before.observedGeneration(), generation);
    return new Condition(
        verdict.type(),
        verdict.status(),
        verdict.reason(),
        wobblesOnly ? Steady.message(before.message(), verdict.message()) : verdict.message(),
        before.lastTransitionTime() == null ? now : before.lastTransitionTime(),
        generation);
  }

  static Map<String, Condition> byType(@Nullable RagJourneyStatus status) {
    Map<String, Condition> byType = new HashMap<>();
    if (status != null && status.conditions() != null) {
      for (Condition condition : status.conditions()) {
        if (condition.type() != null) {
          byType.put(condition.type(), condition);
        }
      }
    }
    return byType;
  }

  /** The plan in force: the spec's, or the last good one. */
  private static @Nullable Plan plan(Observation seen, Desired desired) {
    return desired instanceof Desired.Objects objects
        ? objects.plan()
        : seen.newestPlan().map(LivePlan::plan).orElse(null);
  }

  private static @Nullable LastMove lastMove(Observation seen, Desired desired) {
    return desired instanceof Desired.Objects objects
        ? objects.lastMove()
        : seen.newestPlan().map(LivePlan::lastMove).orElse(null);
  }

  private static @Nullable EffectiveStatus effective(
      @Nullable RagJourneyStatus last, Desired desired) {
    if (desired instanceof Desired.Objects objects) {
      return EffectiveFold.status(objects.plan(), objects.journey().rebalance());
    }
    return last == null ? null : last.effective();
  }

  private static @Nullable List<StageStatus> stages(
      @Nullable Plan plan, @Nullable RagJourneyStatus last, @Nullable Round round) {
    return plan == null ? null : FiguresFold.stages(plan, last, round);
  }

  private static @Nullable List<RungStatus> rungs(
      @Nullable Plan plan, @Nullable RagJourneyStatus last, @Nullable Round round) {
    List<RungStatus> shown = last == null ? null : last.rungs();
    return plan == null ? shown : RungsFold.rungs(plan, shown, round);
  }

  private static LeftOut leaves(@Nullable Plan plan) {
    return plan == null ? LeftOut.NOTHING : plan.budget().leaves();
  }

  private static String rule(Desired desired) {
    RebalancePolicy.Rule rule =
        desired instanceof Desired.Objects objects
            ? objects.journey().rebalance().rule()
            : RebalancePolicy.Rule.P95_HEADROOM;
    return rule.label();
  }

  private static @Nullable String endpoint(Observation seen) {
    Service service = seen.service();
    if (service == null) {
      return null;
    }
    return Optional.ofNullable(service.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.ENDPOINT))
        .orElseGet(
            () ->
                "http://%s.%s.svc"
                    .formatted(seen.journey().id().name(), seen.journey().id().namespace()));
  }
}
