package dev.ragjourney.operator;

import dev.ragjourney.operator.desired.Owner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one journey that bear its name: as the watches know them, else as a live read
 * finds them.
 *
 * @param foreign gets those that somebody else has
 */
record OwnedObjects(KubernetesClient client, Owner owner, List<String> foreign) {
  /**
   * @param needed the journey is going to create it, so that the watches are not enough
   */
  <T extends HasMetadata> @Nullable T find(Class<T> type, @Nullable T known, boolean needed) {
    T object =
        known != null || !needed
            ? known
            : client
                .resources(type)
                .inNamespace(owner.id().namespace())
                .withName(owner.id().name())
                .get();
    return own(object, type.getSimpleName());
  }

  /** The object if it is the journey's own. */
  <T extends HasMetadata> @Nullable T own(@Nullable T object, String kind) {
    if (object == null || owner.owns(object)) {
      return object;
    }
    foreign.add(kind + " " + owner.id().name());
    return null;
  }
}
