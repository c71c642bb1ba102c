package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** What runs when the primary call of a stage is late or failed. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StageFallbackSpec(
    @JsonPropertyDescription("The entry of backends that does the work. Default that of the stage.")
        @Pattern(Shape.NAME)
        @Nullable String backend,
    @JsonPropertyDescription(
            "Keyword: the search leaves the vector out. For Search. Default as the stage.")
        @OneOf("Keyword")
        @Nullable String mode,
    @JsonPropertyDescription(
            "The most the fallback may take. Default 500ms, at most 17 % of total.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String cap,
    @JsonPropertyDescription(
            "The fallback is tried only with at least this much left of the total. "
                + "Default 300ms, at most 10 % of total.")
        @Pattern(Shape.DURATION)
        @Nullable String minRemaining,
    @JsonPropertyDescription(
            "Share of the calls of the stage that may fall back, so that degradation "
                + "does not amplify an overload. Default 10% onto the backend of the "
                + "stage, 100% onto another one.")
        @Pattern(Shape.SHARE)
        @Nullable String maxRatio,
    @JsonPropertyDescription(
            "true: the primary call ends at fail-over instead of staying in the "
                + "race. Default false.")
        @Nullable Boolean cancelPrimary) {}
