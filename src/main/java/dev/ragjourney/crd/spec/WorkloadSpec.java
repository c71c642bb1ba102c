package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pods that run the pipeline. */
@ValidationRule(
    value = "!(has(self.replicas) && has(self.autoscaling))",
    message = "replicas and autoscaling exclude each other")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkloadSpec(
    @JsonPropertyDescription("Number of pods. Default 2. Excludes autoscaling.") @Min(0) @Max(1000)
        @Nullable Integer replicas,
    @JsonPropertyDescription(
            "The most journeys that a pod takes at once. A pod whose processors are busy takes "
                + "fewer. Default 256.")
        @Min(1)
        @Max(100000)
        @Nullable Integer maxConcurrent,
    @JsonPropertyDescription(
            "Image of the pods; pins it. Default the one that the operator was given.")
        @Size(min = 1, max = 1024)
        @Nullable String image,
    @JsonPropertyDescription("Secrets to pull the image with.") @Size(max = 8)
        @Nullable List<LocalRef> imagePullSecrets,
    @JsonPropertyDescription(
            "Compute resources of the container, as in a Pod: requests and limits.")
        @PreserveUnknownFields
        @Nullable Map<String, Object> resources,
    @JsonPropertyDescription("The ServiceAccount of the pods.")
        @Nullable ServiceAccountSpec serviceAccount,
    @JsonPropertyDescription("Makes a HorizontalPodAutoscaler. Default none.")
        @Nullable AutoscalingSpec autoscaling,
    @JsonPropertyDescription(
            "Managed makes a NetworkPolicy that lets in only what a pod needs; None "
                + "makes none. Default None.")
        @OneOf({"None", "Managed"})
        @Nullable String networkPolicy,
    @JsonPropertyDescription("How many pods a voluntary disruption may take.")
        @Nullable DisruptionSpec disruption,
    @JsonPropertyDescription("What is added to the pods.") @Nullable PodOverlay podTemplate) {}
