package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** When a stage counts as slower than it was. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RegressionSpec(
    @JsonPropertyDescription("Only a p95 above this counts.") @Pattern(Shape.DURATION)
        @Nullable String p95Above,
    @JsonPropertyDescription("How far the p95 must lie above that of the last 7 days. Default 35%.")
        @Pattern(Shape.GROWTH)
        @Nullable String overBaseline,
    @JsonPropertyDescription("Calls needed in both windows. Default 100.") @Min(1) @Max(1000000)
        @Nullable Integer minCalls,
    @JsonPropertyDescription("Consecutive 5-minute windows in which it must hold. Default 3.")
        @Min(1)
        @Max(288)
        @Nullable Integer windows) {}
