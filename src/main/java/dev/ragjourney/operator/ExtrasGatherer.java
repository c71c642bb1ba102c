package dev.ragjourney.operator;

import dev.ragjourney.crd.Reading;
import dev.ragjourney.crd.parsed.Monitoring;
import dev.ragjourney.operator.desired.DesiredExtras;
import dev.ragjourney.operator.desired.Owner;
import dev.ragjourney.operator.observe.Extras;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.OptionalKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the objects beside plan, Deployment, Service and ServiceAccount. */
final class ExtrasGatherer {
  private final KubernetesClient client;
  private final OptionalKinds optional;

  ExtrasGatherer(KubernetesClient client, OptionalKinds optional) {
    this.client = client;
    this.optional = optional;
  }

  /**
   * @param known to the watches
   */
  Extras gather(Journey journey, Owner owner, List<HasMetadata> known, OwnedObjects objects) {
    if (!(journey.reading() instanceof Reading.Valid(var parsed))) {
      return new Extras(known.stream().filter(owner::owns).toList(), optional.known(), Set.of());
    }
    List<HasMetadata> owned = new ArrayList<>();
    for (Class<? extends HasMetadata> type :
        List.of(PodDisruptionBudget.class, HorizontalPodAutoscaler.class, NetworkPolicy.class)) {
      keep(find(type, known, DesiredExtras.wanted(parsed, type.getSimpleName()), objects), owned);
    }
    Set<OptionalKind> taken = EnumSet.noneOf(OptionalKind.class);
    for (OptionalKind kind : optional.known()) {
      Monitoring.Wanted wanted = DesiredExtras.wanted(parsed, kind);
      HasMetadata object = optional.find(kind, owner.id()).orElse(null);
      if (object == null && wanted != Monitoring.Wanted.NEVER) {
        object =
            client
                .genericKubernetesResources(kind.context())
                .inNamespace(owner.id().namespace())
                .withName(owner.id().name())
                .get();
      }
      if (object != null && !owner.owns(object) && wanted == Monitoring.Wanted.AUTO) {
        taken.add(kind);
      } else {
        keep(objects.own(object, kind.kind()), owned);
      }
    }
    return new Extras(owned, optional.known(), taken);
  }

  private static <T extends HasMetadata> @Nullable T find(
      Class<T> type, List<HasMetadata> known, boolean wanted, OwnedObjects objects) {
    T object = known.stream().filter(type::isInstance).map(type::cast).findFirst().orElse(null);
    return objects.find(type, object, wanted);
  }

  private static void keep(@Nullable HasMetadata object, List<HasMetadata> owned) {
    if (object != null) {
      owned.add(object);
    }
  }
}
