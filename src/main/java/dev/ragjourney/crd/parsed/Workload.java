package dev.ragjourney.crd.parsed;

import dev.ragjourney.crd.spec.PodOverlay;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods.
 *
 * @param replicas how many
 * @param maxConcurrent journeys that a pod takes at once; null for the pod's own default
 * @param image pinned; null for the operator's default
 * @param imagePullSecrets names of Secrets
 * @param resources of the container, as in a Pod; empty for the operator's default
 * @param serviceAccountName an existing one; null to make one
 * @param serviceAccountAnnotations of the one that is made
 * @param autoscaling null for a fixed number of pods
 * @param closed a NetworkPolicy lets in only what a pod needs
 * @param maxUnavailable pods that a voluntary disruption may take at once
 * @param podTemplate what is added to the pods, as the user wrote it
 */
public record Workload(
    int replicas,
    @Nullable Integer maxConcurrent,
    @Nullable String image,
    List<String> imagePullSecrets,
    Map<String, Object> resources,
    @Nullable String serviceAccountName,
    Map<String, String> serviceAccountAnnotations,
    @Nullable Autoscaling autoscaling,
    boolean closed,
    int maxUnavailable,
    @Nullable PodOverlay podTemplate) {
  public Workload {
    imagePullSecrets = List.copyOf(imagePullSecrets);
    resources = Map.copyOf(resources);
    serviceAccountAnnotations = Map.copyOf(serviceAccountAnnotations);
  }
}
