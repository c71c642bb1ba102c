package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A HorizontalPodAutoscaler. */
@ValidationRule(
    value = "(has(self.minReplicas) ? self.minReplicas : 2) <= self.maxReplicas",
    message = "minReplicas must not be above maxReplicas",
    fieldPath = ".minReplicas")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AutoscalingSpec(
    @JsonPropertyDescription("The fewest pods. Default 2.") @Min(1) @Max(1000)
        @Nullable Integer minReplicas,
    @JsonPropertyDescription("The most pods. At least minReplicas.") @Required @Min(1) @Max(1000)
        @Nullable Integer maxReplicas,
    @JsonPropertyDescription(
            "CPU use, as a share of the request, that the autoscaler aims at. Default 70%.")
        @Pattern(Shape.GROWTH)
        @Nullable String targetCPU) {}
