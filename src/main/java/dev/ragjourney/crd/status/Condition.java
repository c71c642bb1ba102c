package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ragjourney.crd.spec.OneOf;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** One aspect of the state, as Kubernetes spells conditions. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
    @JsonPropertyDescription("What the condition speaks of, such as Ready.") @Required
        @Nullable String type,
    @JsonPropertyDescription("True, False or Unknown.")
        @Required
        @OneOf({"True", "False", "Unknown"})
        @Nullable String status,
    @JsonPropertyDescription("A CamelCase code for programs.") @Required @Size(min = 1, max = 1024)
        @Nullable String reason,
    @JsonPropertyDescription("A sentence for people.") @Required @Size(max = 32768)
        @Nullable String message,
    @JsonPropertyDescription("When status last changed. Date and time, RFC 3339.") @Required
        @Nullable String lastTransitionTime,
    @JsonPropertyDescription("Generation of the spec that the condition speaks of.")
        @Nullable Long observedGeneration) {}
