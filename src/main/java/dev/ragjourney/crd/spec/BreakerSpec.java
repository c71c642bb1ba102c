package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** When a backend is left alone. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BreakerSpec(
    @JsonPropertyDescription("Share of calls cut at the cap that opens the breaker. Default 50%.")
        @Pattern(Shape.SHARE)
        @Nullable String slowRatio,
    @JsonPropertyDescription("Share of failed calls that opens the breaker. Default 50%.")
        @Pattern(Shape.SHARE)
        @Nullable String errorRatio,
    @JsonPropertyDescription("Calls that the shares are taken over. Default 20.")
        @Min(1)
        @Max(10000)
        @Nullable Integer window,
    @JsonPropertyDescription("How long the breaker stays open before a probe. Default 10s.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String probeAfter) {}
