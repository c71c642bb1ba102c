package dev.ragjourney.operator;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the operator runs.
 *
 * @param image of pods whose workload names none
 * @param rollAtOnce so many journeys at a time take another default image or pod template
 * @param namespaces that are watched; empty for all
 * @param announcePlans set the pods' annotation after a plan was written, so that it arrives in a
 *     second instead of a minute; needs the right to patch pods
 * @param lookForKinds so often is looked whether the cluster has PodMonitors and PrometheusRules
 * @param leaseNamespace where the leader's lease lives; null for a single replica without one
 */
public record OperatorSettings(
    String image,
    int rollAtOnce,
    Set<String> namespaces,
    boolean announcePlans,
    Duration lookForKinds,
    @Nullable String leaseNamespace) {
  /** How many journeys roll at a time unless told. */
  public static final int ROLL_AT_ONCE = 5;

  public OperatorSettings {
    namespaces = Set.copyOf(namespaces);
  }
}
