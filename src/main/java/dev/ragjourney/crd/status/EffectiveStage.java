package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A stage with its defaults resolved. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EffectiveStage(
    @JsonPropertyDescription("Name of the stage.") @Nullable String name,
    @JsonPropertyDescription("What the stage does.") @Nullable String type,
    @JsonPropertyDescription("An overrun or a failure skips the stage.") @Nullable Boolean optional,
    @JsonPropertyDescription("Name of the backend that does the work at the first level.")
        @Nullable String backend,
    @JsonPropertyDescription(
            "The cap in force; a duration. Absent for a stage that takes what remains.")
        @Nullable String cap,
    @JsonPropertyDescription("What the stages before it leave to it; a duration.")
        @Nullable String floor,
    @JsonPropertyDescription(
            "What the stage leaves to those after it, beside the reserve; a duration. Absent where "
                + "rebalancing has not set it: their floors hold.")
        @Nullable String holdBack,
    @JsonPropertyDescription("The lowest cap that rebalancing may set; a duration.")
        @Nullable String capMin,
    @JsonPropertyDescription("The highest cap that rebalancing may set; a duration.")
        @Nullable String capMax,
    @JsonPropertyDescription("Passages wanted of a search, or kept by a rerank.")
        @Nullable Integer topK,
    @JsonPropertyDescription("The most the fallback may take; a duration.")
        @Nullable String fallbackCap,
    @JsonPropertyDescription(
            "Of a stage with a fallback: fail-over happens at the latest here; a duration. The "
                + "expected p95 where none is declared, and absent where that is not known: then "
                + "the fallback starts at the cap. Always earlier where it would not fit.")
        @Nullable String degradeAfter,
    @JsonPropertyDescription("Explicit retries; absent for one attempt.")
        @Nullable EffectiveRetry retry,
    @JsonPropertyDescription("A second copy of a slow call; absent for none.")
        @Nullable EffectiveHedge hedge,
    @JsonPropertyDescription("When the backend is left alone; absent for never.")
        @Nullable EffectiveBreaker breaker) {}
