package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** What a stage is given and what it takes. Times are durations, shares are percentages. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StageStatus(
    @JsonPropertyDescription("Name of the stage.") @Required @Nullable String name,
    @JsonPropertyDescription("The cap in force.") @Nullable String cap,
    @JsonPropertyDescription("The cap of the spec, or its default.") @Nullable String declaredCap,
    @JsonPropertyDescription("Median of the window.") @Nullable String p50,
    @JsonPropertyDescription("95th percentile of the window.") @Nullable String p95,
    @JsonPropertyDescription("A lower bound of the p95 where too many calls were cut to know it.")
        @Nullable String p95AtLeast,
    @JsonPropertyDescription("cap - p95, where the cap is above the p95.")
        @Nullable String headroom,
    @JsonPropertyDescription("p95 - cap, where the cap is below the p95.") @Nullable String shortBy,
    @JsonPropertyDescription("Share of the started calls that were cut.")
        @Nullable String timeoutRatio,
    @JsonPropertyDescription("Share of the journeys in which the stage gave no result.")
        @Nullable String skippedRatio,
    @JsonPropertyDescription("Calls started in the window.") @Nullable Long samples) {}
