package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** What a level changes about one stage. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LevelStageSpec(
    @JsonPropertyDescription("Name of the stage; one that the level does not skip.")
        @Required
        @Pattern(Shape.NAME)
        @Nullable String name,
    @JsonPropertyDescription("The entry of backends that does the work at this level.")
        @Pattern(Shape.NAME)
        @Nullable String backend,
    @JsonPropertyDescription("Passages wanted of a Search, or kept by a Rerank, at this level.")
        @Min(1)
        @Max(1000)
        @Nullable Integer topK,
    @JsonPropertyDescription("Candidates that an approximate vector search looks at. For Search.")
        @Min(1)
        @Max(10000)
        @Nullable Integer ef,
    @JsonPropertyDescription(
            "The level is possible at this stage only with more than this left. "
                + "Below total. Default derived from minRemaining of the level.")
        @Pattern(Shape.DURATION)
        @Nullable String minRemaining,
    @JsonPropertyDescription(
            "The floor of the stage at this level. Default that of the stage, for "
                + "Generate scaled with minRemaining of the level.")
        @Pattern(Shape.DURATION)
        @Nullable String floor,
    @JsonPropertyDescription("The most tokens of the answer at this level.") @Min(1) @Max(1000000)
        @Nullable Integer maxTokens,
    @JsonPropertyDescription("The most tokens of context at this level.") @Min(1) @Max(1000000)
        @Nullable Integer maxContextTokens,
    @JsonPropertyDescription("Instructions at this level instead of those of the stage.")
        @Size(max = 8192)
        @Nullable String instructions,
    @JsonPropertyDescription("Reasoning effort at this level, as the backend spells it.")
        @Size(min = 1, max = 32)
        @Nullable String reasoningEffort) {}
