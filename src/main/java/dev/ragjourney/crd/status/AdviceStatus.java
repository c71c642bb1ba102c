package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What would go better left out: a stage, or the levels above one. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdviceStatus(
    @JsonPropertyDescription("The optional stage to skip outright.") @Nullable String stage,
    @JsonPropertyDescription("The level to start at.") @Nullable String level,
    @JsonPropertyDescription("What that would change, for people.") @Nullable String message) {}
