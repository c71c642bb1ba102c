package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator knows about a journey. A figure that is not known is absent. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RagJourneyStatus(
    @JsonPropertyDescription("Generation of the spec that this status speaks of.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("The state of the journey, one entry a type.")
        @Nullable List<Condition> conditions,
    @JsonPropertyDescription("Address of the Service of the journey.") @Nullable String endpoint,
    @JsonPropertyDescription("The plan that the pods read.") @Nullable PlanStatus plan,
    @JsonPropertyDescription("The values in force, with every default resolved.")
        @Nullable EffectiveStatus effective,
    @JsonPropertyDescription(
            "What each stage is given and what it takes, in the order of the stages.")
        @Nullable List<StageStatus> stages,
    @JsonPropertyDescription("What whole journeys take.") @Nullable JourneyStatus journey,
    @JsonPropertyDescription("The last move of the caps, and why.")
        @Nullable RebalanceStatus rebalance,
    @JsonPropertyDescription("When each rung of the ladder last worked.")
        @Nullable List<RungStatus> rungs) {}
