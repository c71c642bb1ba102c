package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What a model is told. */
@ValidationRule(
    value = "!(has(self.instructions) && has(self.instructionsFrom))",
    message = "instructions and instructionsFrom exclude each other")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PromptSpec(
    @JsonPropertyDescription("Instructions of the stage. Default those of the backend.")
        @Size(max = 8192)
        @Nullable String instructions,
    @JsonPropertyDescription("Takes the instructions from a ConfigMap; excludes instructions.")
        @Nullable InstructionsSource instructionsFrom,
    @JsonPropertyDescription(
            "Added where retrieval found nothing. For Generate. Default those of the backend.")
        @Size(max = 8192)
        @Nullable String noContextInstructions) {}
