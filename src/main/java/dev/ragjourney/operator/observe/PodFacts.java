package dev.ragjourney.operator.observe;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod of the pipeline that is not going away.
 *
 * @param uid of the object
 * @param adminUrl where it answers {@code /plan}; null until it has an address
 * @param ready as the kubelet sees it
 * @param announced the revision of its annotation; empty for none
 * @param configMaps that it mounts
 */
public record PodFacts(
    String name,
    String uid,
    @Nullable String adminUrl,
    boolean ready,
    String announced,
    Set<String> configMaps) {
  public PodFacts {
    configMaps = Set.copyOf(configMaps);
  }
}
