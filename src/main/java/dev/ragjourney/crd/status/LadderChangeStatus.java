package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A change of what journeys leave out. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LadderChangeStatus(
    @JsonPropertyDescription(
            "The optional stage; absent where the level that journeys begin at changed.")
        @Nullable String stage,
    @JsonPropertyDescription("Runs or LeftOut, or the level before.") @Nullable String from,
    @JsonPropertyDescription("Runs or LeftOut, or the level after.") @Nullable String to,
    @JsonPropertyDescription("The figures behind it; at most 160 characters.")
        @Nullable String why) {}
