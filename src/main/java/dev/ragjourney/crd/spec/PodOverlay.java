package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is added to the pods. Parts with a structure of their own are as in a Pod and are checked by
 * the API server when the Deployment is written.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodOverlay(
    @JsonPropertyDescription("Labels added to the pods.") @Size(max = 32)
        @Nullable Map<String, String> labels,
    @JsonPropertyDescription("Annotations added to the pods.") @Size(max = 32)
        @Nullable Map<String, String> annotations,
    @JsonPropertyDescription("Labels that a node must have.") @Size(max = 32)
        @Nullable Map<String, String> nodeSelector,
    @JsonPropertyDescription("Taints that the pods tolerate, as in a Pod.") @Size(max = 32)
        @Nullable List<Map<String, Object>> tolerations,
    @JsonPropertyDescription("Affinity of the pods, as in a Pod.")
        @Nullable Map<String, Object> affinity,
    @JsonPropertyDescription("How pods spread over the cluster, as in a Pod.") @Size(max = 8)
        @Nullable List<Map<String, Object>> topologySpreadConstraints,
    @JsonPropertyDescription(
            "Variables added to the container, as in a Pod; names that begin with "
                + "RAGJOURNEY_ are kept for the operator.")
        @Size(max = 64)
        @Nullable List<Map<String, Object>> env,
    @JsonPropertyDescription("Volumes added to the pods, as in a Pod.") @Size(max = 16)
        @Nullable List<Map<String, Object>> volumes,
    @JsonPropertyDescription("Mounts added to the container, as in a Pod.") @Size(max = 16)
        @Nullable List<Map<String, Object>> volumeMounts,
    @JsonPropertyDescription("Containers added to the pods, as in a Pod.") @Size(max = 8)
        @Nullable List<Map<String, Object>> sidecars,
    @JsonPropertyDescription("Priority class of the pods.") @Size(min = 1, max = 253)
        @Nullable String priorityClassName) {}
