package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** Which shares of missed and of degraded answers are acceptable. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectiveSpec(
    @JsonPropertyDescription(
            "Share of answers that may be missed (static, error or late) before "
                + "WithinBudget turns False. Default 1%.")
        @Pattern(Shape.SHARE)
        @Nullable String missRatio,
    @JsonPropertyDescription(
            "Share of degraded answers above which DegradedRateHigh turns True; it "
                + "clears below 80 % of this share. Default 10%.")
        @Pattern(Shape.SHARE)
        @Nullable String degradedRatio) {}
