package dev.ragjourney.operator.observe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a journey has beside its plan, Deployment, Service and ServiceAccount.
 *
 * @param owned the journey's own objects, at most one of a kind
 * @param kinds which of the optional kinds the cluster has
 * @param taken optional kinds of which somebody else has an object with the journey's name
 */
public record Extras(List<HasMetadata> owned, Set<OptionalKind> kinds, Set<OptionalKind> taken) {
  public static final Extras NONE = new Extras(List.of(), Set.of(), Set.of());

  public Extras {
    owned = List.copyOf(owned);
    kinds = Set.copyOf(kinds);
    taken = Set.copyOf(taken);
  }

  /** The object of a kind. */
  public Optional<HasMetadata> find(String kind) {
    return owned.stream().filter(object -> object.getKind().equals(kind)).findFirst();
  }
}
