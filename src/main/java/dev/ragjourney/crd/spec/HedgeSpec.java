package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** A second copy of a slow call. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HedgeSpec(
    @JsonPropertyDescription(
            "How long the first copy runs alone. Below cap, and "
                + "below the first of retry.attemptCaps.")
        @Required
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String after,
    @JsonPropertyDescription("Second copies in flight at once in one pod. Default 4.")
        @Min(1)
        @Max(1000)
        @Nullable Integer maxConcurrent,
    @JsonPropertyDescription(
            "Share of the calls of the stage that may get a second copy. Default 5%.")
        @Pattern(Shape.SHARE)
        @Nullable String maxRatio) {}
