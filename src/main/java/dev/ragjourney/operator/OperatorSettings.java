package dev.ragjourney.operator;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the operator runs.
 *
 * @param image of pods whose workload names none
 * @param namespaces that are watched; empty for all
 * @param announcePlans set the pods' annotation after a plan was written, so that it arrives in a
 *     second instead of a minute; needs the right to patch pods
 * @param lookForKinds so often is looked whether the cluster has PodMonitors and PrometheusRules
 * @param leaseNamespace where the leader's lease lives; null for a single replica without one
 */
public record OperatorSettings(
    String image,
    Set<String> namespaces,
    boolean announcePlans,
    Duration lookForKinds,
    @Nullable String leaseNamespace) {
  public OperatorSettings {
    namespaces = Set.copyOf(namespaces);
  }
}
