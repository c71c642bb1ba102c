package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** When a backend is left alone. */
@ValidationRule(
    value = "!has(self.slowRatio) || self.slowRatio.matches('[1-9]')",
    message = "slowRatio must be above 0%")
@ValidationRule(
    value = "!has(self.errorRatio) || self.errorRatio.matches('[1-9]')",
    message = "errorRatio must be above 0%")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BreakerSpec(
    @JsonPropertyDescription(
            "Share of calls cut at their cap, or beaten by the fallback, that opens the "
                + "breaker. Above 0%. Default 50%.")
        @Pattern(Shape.SHARE)
        @Nullable String slowRatio,
    @JsonPropertyDescription("Share of failed calls that opens the breaker. Above 0%. Default 50%.")
        @Pattern(Shape.SHARE)
        @Nullable String errorRatio,
    @JsonPropertyDescription(
            "The last calls of one pod that the shares are taken over; nothing opens "
                + "before there were so many. Default 20.")
        @Min(1)
        @Max(10000)
        @Nullable Integer window,
    @JsonPropertyDescription(
            "How long the breaker stays open before three calls probe. Default 10s.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String probeAfter) {}
