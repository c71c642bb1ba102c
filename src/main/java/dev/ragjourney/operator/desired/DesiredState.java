package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.Finding;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.LeftOut;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.status.PlanStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.LastMove;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.plan.InvalidPlanException;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy.Mode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** From everything that was read to everything that should be there. */
public final class DesiredState {
  private DesiredState() {}

  public static Desired of(Observation seen) {
    if (!seen.foreign().isEmpty()) {
      return new Desired.AsItIs(
          "NameTaken",
          seen.foreign().stream()
              .map(
                  object ->
                      new Finding(
                          "metadata.name",
                          "NameTaken",
                          object
                              + " belongs to somebody else; it is left alone. Rename it or the"
                              + " journey"))
              .toList());
    }
    return switch (seen.journey().reading()) {
      case Reading.Unreadable(String message) ->
          new Desired.AsItIs("Unreadable", List.of(new Finding("spec", "Unreadable", message)));
      case Reading.Invalid(List<Finding> findings) -> new Desired.AsItIs("InvalidSpec", findings);
      case Reading.Valid(ParsedJourney journey) -> ofValid(seen, journey);
    };
  }

  private static Desired ofValid(Observation seen, ParsedJourney journey) {
    try {
      return objects(seen, journey);
    } catch (InvalidOverlayException e) {
      return new Desired.AsItIs("InvalidSpec", List.of(e.finding()));
    } catch (InvalidPlanException e) {
      String reason =
          e.reason() == InvalidPlanException.Reason.TOO_LARGE ? "PlanTooLarge" : "InvalidSpec";
      return new Desired.AsItIs(
          "InvalidSpec", List.of(new Finding("spec", reason, "the plan: " + e.getMessage())));
    }
  }

  private static Desired.Objects objects(Observation seen, ParsedJourney journey)
      throws InvalidOverlayException, InvalidPlanException {
    Owner owner = Owner.of(seen.journey());
    Template template =
        Template.of(
            owner.id().name(), journey, seen.defaultImage(), seen.turn(), seen.deployment());
    String name = template.planMap();
    LivePlan newest = seen.newestPlan().orElse(null);
    Plan declared = PlanCompiler.compile(owner.id(), journey, seen.journey().generation(), 0);
    Plan settled =
        PlanCompiler.withHoldBacks(
            PlanCompiler.withCaps(
                declared, CapsInForce.of(journey, declared, newest, seen.round())),
            CapsInForce.holdBacks(journey, declared, newest, seen.round()));
    Plan wanted =
        PlanCompiler.leaving(settled, CapsInForce.leftOut(journey, declared, newest, seen.round()));
    boolean moved = moved(seen, journey, newest);
    Map<String, Instant> changed = CapsInForce.changed(declared, newest, seen.now());
    LastMove lastMove =
        moved ? lastMove(seen, journey, newest) : newest == null ? null : newest.lastMove();

    Optional<LivePlan> present =
        seen.plans().stream().filter(live -> live.name().equals(name)).findFirst();
    long latest = latestRevision(seen);
    Plan plan =
        present
            .map(LivePlan::plan)
            .filter(there -> there.revision() == latest)
            .filter(there -> PlanCompiler.sameDocument(wanted, there))
            .orElseGet(() -> PlanCompiler.withRevision(wanted, latest + 1));

    List<HasMetadata> apply = new ArrayList<>();
    DesiredObjects.serviceAccount(owner, journey.workload()).ifPresent(apply::add);
    apply.add(PlanObjects.write(owner, name, plan, lastMove, changed, version(present)));
    List<HasMetadata> prune = new ArrayList<>();
    for (LivePlan other : seen.plans()) {
      if (other.name().equals(name)) {
        continue;
      }
      if (!inUse(other, seen)) {
        prune.add(other.map());
      } else if (moved && other.plan() != null) {
        Plan older =
            PlanCompiler.withRevision(
                withSettingsOfSameStages(other.plan(), plan), plan.revision());
        apply.add(
            PlanObjects.write(
                owner,
                other.name(),
                older,
                lastMove,
                other.changed(),
                version(Optional.of(other))));
      }
    }
    apply.add(DesiredObjects.service(owner));
    if (!template.held() || asApplied(owner, journey, template, seen)) {
      apply.add(deployment(owner, journey, template, seen));
    }
    List<HasMetadata> extras = DesiredExtras.of(owner, journey, seen.extras());
    apply.addAll(extras);
    apply.forEach(Drift::signed);
    List<HasMetadata> retire = new ArrayList<>();
    for (HasMetadata unwanted : DesiredExtras.unwanted(seen.extras(), extras)) {
      (unwanted instanceof HorizontalPodAutoscaler ? retire : prune).add(unwanted);
    }
    if (journey.workload().serviceAccountName() != null
        && seen.serviceAccount() != null
        && rolledOut(seen.deployment())) {
      prune.add(seen.serviceAccount());
    }
    return new Desired.Objects(journey, apply, retire, prune, plan, name, lastMove, changed, moved);
  }

  private static Deployment deployment(
      Owner owner, ParsedJourney journey, Template template, Observation seen)
      throws InvalidOverlayException {
    return DesiredObjects.deployment(
        owner, journey, template.planMap(), template.image(), seen.deployment() == null);
  }

  /** Another operator's template may differ in more than the image; then it waits as a whole. */
  private static boolean asApplied(
      Owner owner, ParsedJourney journey, Template template, Observation seen)
      throws InvalidOverlayException {
    Deployment wanted = Drift.signed(deployment(owner, journey, template, seen));
    return !(Drift.of(wanted, seen.deployment()) instanceof Drift.Finding.Outdated);
  }

  private static boolean moved(Observation seen, ParsedJourney journey, @Nullable LivePlan newest) {
    return newest != null
        && newest.plan() != null
        && journey.rebalance().mode() == Mode.AUTO
        && CapsInForce.moves(seen.round(), newest.plan());
  }

  private static @Nullable LastMove lastMove(
      Observation seen, ParsedJourney journey, @Nullable LivePlan newest) {
    return seen.round() != null && seen.round().decision() instanceof RebalanceDecision.Move move
        ? LastMove.of(
            seen.round().at(),
            move,
            LastMove.remembered(newest == null ? null : newest.lastMove(), Map.of()),
            journey.rebalance())
        : null;
  }

  /** Revisions only grow, also over plans that were pruned: status remembers the last one. */
  private static long latestRevision(Observation seen) {
    long latest = seen.plans().stream().mapToLong(LivePlan::revision).max().orElse(0);
    Journey journey = seen.journey();
    RagJourneyStatus status = journey.lastStatus();
    PlanStatus plan = status == null ? null : status.plan();
    Long told = plan == null ? null : plan.revision();
    return Math.max(latest, told == null ? 0 : told);
  }

  private static Plan withSettingsOfSameStages(Plan older, Plan current) {
    Map<String, Duration> caps = new HashMap<>();
    Map<String, Duration> holdBacks = new HashMap<>();
    for (var stage : older.budget().stages()) {
      for (var now : current.budget().stages()) {
        if (stage.name().equals(now.name())
            && Objects.equals(stage.declaredCap(), now.declaredCap())) {
          if (now.cap() != null) {
            caps.put(stage.name(), now.cap());
          }
          if (now.holdBack() != null) {
            holdBacks.put(stage.name(), now.holdBack());
          }
        }
      }
    }
    return PlanCompiler.leaving(
        PlanCompiler.withHoldBacks(PlanCompiler.withCaps(older, caps), holdBacks),
        leftOutOfBoth(older.budget(), current.budget()));
  }

  private static LeftOut leftOutOfBoth(JourneyBudget older, JourneyBudget current) {
    Set<String> optional =
        older.stages().stream()
            .filter(StageBudget::optional)
            .map(StageBudget::name)
            .collect(Collectors.toSet());
    LeftOut left = current.leaves().keeping(optional::contains);
    return older.levels().equals(current.levels()) ? left : left.from(null);
  }

  /**
   * Whether a pod mounts the plan, or may yet: until the rollout is over, older pods may restart.
   */
  private static boolean inUse(LivePlan live, Observation seen) {
    return seen.pods().stream().anyMatch(pod -> pod.configMaps().contains(live.name()))
        || !rolledOut(seen.deployment())
        || mounts(Objects.requireNonNull(seen.deployment()), live.name());
  }

  private static boolean mounts(Deployment deployment, String map) {
    return deployment.getSpec().getTemplate().getSpec().getVolumes().stream()
        .anyMatch(
            volume -> volume.getConfigMap() != null && map.equals(volume.getConfigMap().getName()));
  }

  /** Every replica is of the latest template. */
  public static boolean rolledOut(@Nullable Deployment deployment) {
    DeploymentStatus status = deployment == null ? null : deployment.getStatus();
    if (deployment == null || status == null) {
      return false;
    }
    int wanted = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    return Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
        && Objects.requireNonNullElse(status.getReplicas(), 0) == wanted
        && Objects.requireNonNullElse(status.getUpdatedReplicas(), 0) == wanted
        && Objects.requireNonNullElse(status.getReadyReplicas(), 0) == wanted;
  }

  private static @Nullable String version(Optional<LivePlan> live) {
    return live.map(l -> l.map().getMetadata().getResourceVersion()).orElse(null);
  }
}
