package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ragjourney.crd.spec.OneOf;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** One change of a cap, or of what a stage leaves to those after it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CapChangeStatus(
    @JsonPropertyDescription("Name of the stage.") @Required @Nullable String stage,
    @JsonPropertyDescription("The cap or hold-back before; a duration.") @Required
        @Nullable String from,
    @JsonPropertyDescription("The cap or hold-back after; a duration.") @Required
        @Nullable String to,
    @JsonPropertyDescription("The figures behind it; at most 160 characters.") @Nullable String why,
    @JsonPropertyDescription(
            "What changed: the stage's cap where absent, or HoldBack, what it leaves to those "
                + "after it.")
        @OneOf({"Cap", "HoldBack"})
        @Nullable String knob,
    @JsonPropertyDescription("Calls of the stage that it was decided on.")
        @Nullable Long samples) {}
