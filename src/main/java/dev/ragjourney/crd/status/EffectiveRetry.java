package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The retries of a stage with their defaults resolved. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EffectiveRetry(
    @JsonPropertyDescription("The cap of every attempt in order; durations.")
        @Nullable List<String> attemptCaps,
    @JsonPropertyDescription("The shortest wait between attempts; a duration.")
        @Nullable String backoffMin,
    @JsonPropertyDescription("The longest wait between attempts; a duration.")
        @Nullable String backoffMax,
    @JsonPropertyDescription("Share of the calls that may be tried again.")
        @Nullable String maxRatio) {}
