package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.Monitoring;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.Workload;
import dev.ragjourney.operator.observe.Extras;
import dev.ragjourney.operator.observe.OptionalKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/** Which objects a journey has beside its plan, Deployment, Service and ServiceAccount. */
public final class DesiredExtras {
  private DesiredExtras() {}

  /** Whether the journey asks for an object of a kind that every cluster has. */
  public static boolean wanted(ParsedJourney journey, String kind) {
    Workload workload = journey.workload();
    return switch (kind) {
      case "PodDisruptionBudget" -> true;
      case "HorizontalPodAutoscaler" -> workload.autoscaling() != null;
      case "NetworkPolicy" -> workload.closed();
      default -> false;
    };
  }

  public static Monitoring.Wanted wanted(ParsedJourney journey, OptionalKind kind) {
    return switch (kind) {
      case POD_MONITOR -> journey.monitoring().podMonitor();
      case PROMETHEUS_RULE -> journey.monitoring().rules();
    };
  }

  static List<HasMetadata> of(Owner owner, ParsedJourney journey, Extras seen) {
    Workload workload = journey.workload();
    List<HasMetadata> objects = new ArrayList<>();
    objects.add(AvailabilityObjects.disruptionBudget(owner, workload));
    if (workload.autoscaling() != null) {
      objects.add(AvailabilityObjects.autoscaler(owner, workload.autoscaling()));
    }
    if (workload.closed()) {
      objects.add(AvailabilityObjects.networkPolicy(owner));
    }
    for (OptionalKind kind : OptionalKind.values()) {
      boolean made =
          switch (wanted(journey, kind)) {
            case ALWAYS -> true;
            case AUTO -> seen.kinds().contains(kind) && !seen.taken().contains(kind);
            case NEVER -> false;
          };
      if (made) {
        objects.add(
            switch (kind) {
              case POD_MONITOR -> MonitoringObjects.podMonitor(owner, journey);
              case PROMETHEUS_RULE -> MonitoringObjects.rules(owner, journey);
            });
      }
    }
    return objects;
  }

  /** Objects that are there and no longer asked for. */
  static List<HasMetadata> unwanted(Extras seen, List<HasMetadata> wanted) {
    List<String> kinds = wanted.stream().map(HasMetadata::getKind).toList();
    return seen.owned().stream().filter(object -> !kinds.contains(object.getKind())).toList();
  }
}
