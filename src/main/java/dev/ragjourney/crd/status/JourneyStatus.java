package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * What whole journeys take, of those that had their own whole budget. Times are durations, shares
 * are percentages.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JourneyStatus(
    @JsonPropertyDescription("95th percentile of the counted time.") @Nullable String p95,
    @JsonPropertyDescription("Share of the answers within the budget, full or degraded.")
        @Nullable String withinBudgetRatio,
    @JsonPropertyDescription("Share of degraded answers.") @Nullable String degradedRatio,
    @JsonPropertyDescription("Share of missed answers: static, error or late.")
        @Nullable String missRatio,
    @JsonPropertyDescription("The level that most answers had.") @Nullable String usualLevel,
    @JsonPropertyDescription("Median of the time left when generate starts.")
        @Nullable String remainingAtGenerate,
    @JsonPropertyDescription(
            "Share of answers that would be full if nothing were ever cut; no caps give more.")
        @Nullable String attainableRatio,
    @JsonPropertyDescription(
            "The stage that costs the most full answers; absent where hardly any are lost.")
        @Nullable String costliestStage,
    @JsonPropertyDescription("What would buy full answers back, for people.")
        @Nullable String remedy) {}
