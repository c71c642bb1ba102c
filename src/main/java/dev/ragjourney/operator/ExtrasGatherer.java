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
   * @param foreign gets the objects that the journey needs and somebody else has
   */
  Extras gather(Journey journey, Owner owner, List<HasMetadata> known, List<String> foreign) {
    if (!(journey.reading() instanceof Reading.Valid(var parsed))) {
      return new Extras(known.stream().filter(owner::owns).toList(), optional.known(), Set.of());
    }
    List<HasMetadata> owned = new ArrayList<>();
    for (Class<? extends HasMetadata> type :
        List.of(PodDisruptionBudget.class, HorizontalPodAutoscaler.class, NetworkPolicy.class)) {
      HasMetadata object =
          known.stream().filter(type::isInstance).findFirst().<HasMetadata>map(o -> o).orElse(null);
      if (object == null && DesiredExtras.wanted(parsed, type.getSimpleName())) {
        object = read(type, owner);
      }
      keep(object, type.getSimpleName(), owner, owned, foreign);
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
        keep(object, kind.kind(), owner, owned, foreign);
      }
    }
    return new Extras(owned, optional.known(), taken);
  }

  private <T extends HasMetadata> @Nullable T read(Class<T> type, Owner owner) {
    return client
        .resources(type)
        .inNamespace(owner.id().namespace())
        .withName(owner.id().name())
        .get();
  }

  private static void keep(
      @Nullable HasMetadata object,
      String kind,
      Owner owner,
      List<HasMetadata> owned,
      List<String> foreign) {
    if (object != null && owner.owns(object)) {
      owned.add(object);
    } else if (object != null) {
      foreign.add(kind + " " + owner.id().name());
    }
  }
}
