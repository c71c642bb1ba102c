package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Agentic retrieval. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgenticSpec(
    @JsonPropertyDescription("Name of the knowledge base of the service.")
        @Required
        @Size(min = 1, max = 128)
        @Nullable String knowledgeBase,
    @JsonPropertyDescription(
            "The most the planning step may take. Default half of the cap of the stage.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String planningCap) {}
