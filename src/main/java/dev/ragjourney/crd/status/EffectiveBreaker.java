package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** When the backend of a stage is left alone, with the defaults resolved. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EffectiveBreaker(
    @JsonPropertyDescription("Share of slow calls that opens the breaker.")
        @Nullable String slowRatio,
    @JsonPropertyDescription("Share of failed calls that opens the breaker.")
        @Nullable String errorRatio,
    @JsonPropertyDescription("The last calls of one pod that the shares are taken over.")
        @Nullable Integer window,
    @JsonPropertyDescription("How long the breaker stays open before calls probe; a duration.")
        @Nullable String probeAfter) {}
