package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rung of the ladder. */
@ValidationRule(
    value = "has(self.minRemaining) != has(self.answer)",
    message = "a level has either minRemaining or answer")
@ValidationRule(
    value = "has(self.message) == (has(self.answer) && self.answer == 'Static')",
    message = "message belongs to answer: Static, which needs one")
@ValidationRule(
    value = "!has(self.minSimilarity) || (has(self.answer) && self.answer == 'SemanticCache')",
    message = "minSimilarity belongs to answer: SemanticCache")
@ValidationRule(
    value = "!has(self.answer) || (!has(self.topK) && !has(self.skip) && !has(self.stages))",
    message = "a level with answer runs no stages")
@ValidationRule(
    value = "!(has(self.skip) && has(self.stages)) || self.stages.all(s, !(s.name in self.skip))",
    message = "a skipped stage cannot be changed")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LevelSpec(
    @JsonPropertyDescription(
            "Name of the level, unique within the journey; a label of its metrics.")
        @Required
        @Pattern(Shape.NAME)
        @Nullable String name,
    @JsonPropertyDescription(
            "The level needs more than this left of the total. Below total. Excludes answer.")
        @Pattern(Shape.DURATION)
        @Nullable String minRemaining,
    @JsonPropertyDescription(
            "Passages per search at this level; a rerank keeps at most as many. "
                + "Default that of the stages.")
        @Min(1)
        @Max(1000)
        @Nullable Integer topK,
    @JsonPropertyDescription(
            "Names of stages that do not run at this level; never the Generate stage.")
        @Size(max = 16)
        @Nullable List<@Pattern(Shape.NAME) String> skip,
    @JsonPropertyDescription("What the level changes about single stages.") @Size(max = 16)
        @Nullable List<LevelStageSpec> stages,
    @JsonPropertyDescription(
            "Where the answer comes from instead of the stages: SemanticCache or "
                + "Static. Excludes minRemaining, topK, skip and stages.")
        @OneOf({"SemanticCache", "Static"})
        @Nullable String answer,
    @JsonPropertyDescription("The text of an answer: Static; needed there.")
        @Size(min = 1, max = 1024)
        @Nullable String message,
    @JsonPropertyDescription(
            "Least cosine similarity to an earlier question whose answer is given; the words "
                + "that decide must be the same too. For answer: SemanticCache. Default 92%.")
        @Pattern(Shape.SHARE)
        @Nullable String minSimilarity,
    @JsonPropertyDescription(
            "What a chat program may show beside a degraded answer of this level. Default a "
                + "sentence that says that some detail may be missing.")
        @Size(min = 1, max = 256)
        @Nullable String hint) {}
