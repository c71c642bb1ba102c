package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/** The PodDisruptionBudget. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DisruptionSpec(
    @JsonPropertyDescription("Pods that a voluntary disruption may take at once. Default 1.")
        @Min(1)
        @Max(1000)
        @Nullable Integer maxUnavailable) {}
