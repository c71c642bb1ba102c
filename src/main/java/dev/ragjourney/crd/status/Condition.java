package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** One aspect of the state, as Kubernetes spells conditions. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
    @JsonPropertyDescription("What the condition speaks of, such as Ready.") @Required
        @Nullable String type,
    @JsonPropertyDescription("True, False or Unknown.") @Required @Nullable String status,
    @JsonPropertyDescription("A CamelCase code for programs.") @Required @Nullable String reason,
    @JsonPropertyDescription("A sentence for people.") @Required @Nullable String message,
    @JsonPropertyDescription("When status last changed. Date and time, RFC 3339.") @Required
        @Nullable String lastTransitionTime,
    @JsonPropertyDescription("Generation of the spec that the condition speaks of.")
        @Nullable Long observedGeneration) {}
