package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** When a rung of the ladder last worked. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RungStatus(
    @JsonPropertyDescription("Name of the level; absent for a fallback.") @Nullable String level,
    @JsonPropertyDescription("Name of the stage whose fallback it is; absent for a level.")
        @Nullable String fallback,
    @JsonPropertyDescription("When it last gave an answer. Date and time, RFC 3339.")
        @Nullable String lastWorked) {}
