package dev.ragjourney.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stores of the watches. */
final class CompactStores {
  private final KubernetesSerialization serialization;
  private final boolean shared;

  /**
   * @param namespaces that are watched; empty for all
   */
  CompactStores(KubernetesSerialization serialization, Set<String> namespaces) {
    this.serialization = serialization;
    shared = namespaces.size() > 1;
  }

  /**
   * A store for one kind; null for the client's own. The framework gives the watches of several
   * namespaces one store between them, and each would drop what is in the others' namespaces.
   */
  <T extends HasMetadata> @Nullable ItemStore<T> of(Class<T> type) {
    return shared ? null : new CompactStore<>(type, serialization);
  }
}
