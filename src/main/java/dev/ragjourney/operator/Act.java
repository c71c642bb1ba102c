package dev.ragjourney.operator;

import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.desired.Displaced;
import dev.ragjourney.operator.desired.Drift;
import dev.ragjourney.operator.observe.LivePlan;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.observe.OptionalKind;
import dev.ragjourney.operator.observe.Refusal;
import dev.ragjourney.operator.status.JourneyEvent;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries a decision out: applies what is not as it should be, in order, and nothing else. */
final class Act {
  private static final int UNPROCESSABLE = 422;

  /** Answers to an apply that another attempt with the same object will not change. */
  private static final Set<Integer> REFUSALS = Set.of(400, 403, UNPROCESSABLE);

  private final Writer writer;
  private final DriftGuard guard;
  private final Refusals refusals;
  private final RecentWrites recent;

  Act(Writer writer, DriftGuard guard, Refusals refusals, RecentWrites recent) {
    this.writer = writer;
    this.guard = guard;
    this.refusals = refusals;
    this.recent = recent;
  }

  /**
   * What came of it.
   *
   * @param applied as the API server answered
   * @param events that only the act could see
   * @param refusal of the API server; null for none
   */
  record Outcome(List<HasMetadata> applied, List<JourneyEvent> events, @Nullable Refusal refusal) {
    Outcome {
      applied = List.copyOf(applied);
      events = List.copyOf(events);
    }
  }

  /**
   * @throws KubernetesClientException for failures that another attempt may cure
   */
  Outcome carryOut(Observation seen, Desired.Objects desired) {
    JourneyId id = seen.journey().id();
    List<HasMetadata> applied = new ArrayList<>();
    List<JourneyEvent> events = new ArrayList<>();
    desired.retire().forEach(this::prune);
    for (HasMetadata object : desired.apply()) {
      String name = object.getKind() + " " + object.getMetadata().getName();
      HasMetadata live = live(seen, object);
      switch (Drift.of(object, live)) {
        case Drift.Finding.AsApplied() -> {
          continue;
        }
        case Drift.Finding.Outdated() -> {}
        case Drift.Finding.Changed(String path) -> {
          boolean allowed = guard.allows(id, name, seen.now());
          events.add(changed(name, path, allowed));
          if (!allowed) {
            continue;
          }
        }
      }
      Optional<String> missing = missingKind(object, seen);
      if (missing.isPresent()) {
        return refused(id, new Refusal(name, missing.get(), seen.journey().generation()), events);
      }
      try {
        handOver(object, seen.deployment());
        HasMetadata result = apply(object, live);
        recent.wrote(id, result);
        applied.add(result);
      } catch (KubernetesClientException e) {
        if (!REFUSALS.contains(e.getCode()) || Failures.namespaceTerminating(e)) {
          throw e;
        }
        return refused(
            id, new Refusal(name, Failures.message(e), seen.journey().generation()), events);
      }
    }
    refusals.clear(id);
    desired.prune().forEach(this::prune);
    return new Outcome(applied, events, null);
  }

  private HasMetadata apply(HasMetadata object, @Nullable HasMetadata live) {
    try {
      return writer.apply(object);
    } catch (KubernetesClientException e) {
      if (live == null || e.getCode() != UNPROCESSABLE) {
        throw e;
      }
      String patch = Displaced.putBack(object, live).orElseThrow(() -> e);
      writer.putBack(live, patch);
      return writer.apply(object);
    }
  }

  private void prune(HasMetadata object) {
    writer.prune(object);
    recent.deleted(object);
  }

  private Outcome refused(JourneyId id, Refusal refusal, List<JourneyEvent> events) {
    refusals.put(id, refusal);
    return new Outcome(List.of(), events, refusal);
  }

  /** A kind that the journey insists on and the cluster lacks. */
  private static Optional<String> missingKind(HasMetadata object, Observation seen) {
    for (OptionalKind kind : OptionalKind.values()) {
      if (kind.kind().equals(object.getKind()) && !seen.extras().kinds().contains(kind)) {
        return Optional.of(
            "this cluster has no kind %s (%s); install its CRD, or let spec.monitoring say Auto"
                .formatted(kind.kind(), OptionalKind.apiVersion()));
      }
    }
    return Optional.empty();
  }

  /** Before the number of pods is left to an autoscaler. */
  private void handOver(HasMetadata object, @Nullable Deployment live) {
    if (object instanceof Deployment wanted
        && wanted.getSpec().getReplicas() == null
        && live != null
        && live.getSpec().getReplicas() != null
        && FieldOwners.owns(live, Writer.MANAGER, "spec", "replicas")) {
      writer.handOverReplicas(live);
    }
  }

  private static JourneyEvent changed(String object, String path, boolean allowed) {
    return allowed
        ? new JourneyEvent(false, "DriftCorrected", object + ": " + path + " was put right")
        : new JourneyEvent(
            true,
            "FieldTakenBack",
            object
                + ": "
                + path
                + " is changed again and again by somebody else; it is left alone for an hour");
  }

  private static @Nullable HasMetadata live(Observation seen, HasMetadata object) {
    return switch (object) {
      case ConfigMap map ->
          seen.plans().stream()
              .filter(plan -> plan.name().equals(map.getMetadata().getName()))
              .map(LivePlan::map)
              .findFirst()
              .orElse(null);
      case Deployment _ -> seen.deployment();
      case Service _ -> seen.service();
      case ServiceAccount _ -> seen.serviceAccount();
      default -> seen.extras().find(object.getKind()).orElse(null);
    };
  }
}
