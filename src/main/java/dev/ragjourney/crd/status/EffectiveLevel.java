package dev.ragjourney.crd.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A level with its defaults resolved. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EffectiveLevel(
    @JsonPropertyDescription("Name of the level.") @Nullable String name,
    @JsonPropertyDescription("Where the answer comes from: Stages, SemanticCache or Static.")
        @Nullable String answer,
    @JsonPropertyDescription("The level needs more than this left; a duration.")
        @Nullable String minRemaining,
    @JsonPropertyDescription("Stages that do not run at this level.") @Nullable List<String> skip,
    @JsonPropertyDescription("Passages per search at this level.") @Nullable Integer topK,
    @JsonPropertyDescription(
            "Candidates that a search by vector looks at at this level; absent where the store "
                + "decides.")
        @Nullable Integer ef,
    @JsonPropertyDescription(
            "With answer SemanticCache: how alike two questions must be to share an answer.")
        @Nullable String minSimilarity) {}
