package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.RagJourney;
import dev.ragjourney.operator.observe.Journey;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/** Whose objects these are. */
public record Owner(JourneyId id, String uid) {
  public static Owner of(Journey journey) {
    return new Owner(journey.id(), journey.uid());
  }

  /** Name, labels and the owner reference of a child. */
  ObjectMetaBuilder metadata(String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(id.namespace())
        .withLabels(Labels.of(id.name()))
        .withOwnerReferences(reference());
  }

  private OwnerReference reference() {
    return new OwnerReferenceBuilder()
        .withApiVersion(RagJourney.API_VERSION)
        .withKind(RagJourney.KIND)
        .withName(id.name())
        .withUid(uid)
        .withController(true)
        .build();
  }

  /** Whether the object was made for this very resource. */
  public boolean owns(HasMetadata object) {
    return object.getMetadata().getOwnerReferences() != null
        && object.getMetadata().getOwnerReferences().stream()
            .anyMatch(
                owner -> Boolean.TRUE.equals(owner.getController()) && uid.equals(owner.getUid()));
  }
}
