package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The second copy of a slow call with its defaults resolved. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EffectiveHedge(
    @JsonPropertyDescription("How long the first copy runs alone; a duration.")
        @Nullable String after,
    @JsonPropertyDescription("Second copies in flight at once in one pod.")
        @Nullable Integer maxConcurrent,
    @JsonPropertyDescription("Share of the calls that may get a second copy.")
        @Nullable String maxRatio) {}
