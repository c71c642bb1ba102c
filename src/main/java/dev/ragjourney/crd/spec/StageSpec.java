package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** One step of a journey. */
@ValidationRule(
    value = "self.type in ['Rewrite', 'Rerank', 'Tool'] || !(has(self.optional) && self.optional)",
    message = "only stages of type Rewrite, Rerank or Tool can be optional")
@ValidationRule(
    value = "!(self.type in ['Rewrite', 'Tool']) || has(self.backend)",
    message = "stages of type Rewrite or Tool need a backend")
@ValidationRule(
    value = "self.type in ['Search', 'Rerank'] || !has(self.topK)",
    message = "topK is for stages of type Search or Rerank")
@ValidationRule(
    value = "self.type != 'Generate' || !has(self.parallel)",
    message = "parallel is not for stages of type Generate")
@ValidationRule(
    value = "self.type == 'Search' || !has(self.speculative)",
    message = "speculative is for stages of type Search")
@ValidationRule(
    value = "self.type in ['Rewrite', 'Generate'] || !has(self.prompt)",
    message = "prompt is for stages of type Rewrite or Generate")
@ValidationRule(
    value =
        "self.type == 'Generate' || !(has(self.prompt) && "
            + "has(self.prompt.noContextInstructions))",
    message = "prompt.noContextInstructions is for stages of type Generate")
@ValidationRule(
    value = "self.type in ['Rewrite', 'Generate'] || !has(self.maxTokens)",
    message = "maxTokens is for stages of type Rewrite or Generate")
@ValidationRule(
    value = "self.type == 'Generate' || !has(self.maxContextTokens)",
    message = "maxContextTokens is for stages of type Generate")
@ValidationRule(
    value = "self.type == 'Generate' || !has(self.whenNoContext)",
    message = "whenNoContext is for stages of type Generate")
@ValidationRule(
    value = "self.type in ['Embed', 'Search', 'Rerank'] || !has(self.hedge)",
    message = "hedge is for stages of type Embed, Search or Rerank")
@ValidationRule(
    value = "self.type == 'Search' || !(has(self.fallback) && has(self.fallback.mode))",
    message = "fallback.mode is for stages of type Search")
@ValidationRule(
    value = "!(has(self.floor) && has(self.cap)) || duration(self.floor) <= duration(self.cap)",
    message = "floor must not be above cap")
@ValidationRule(
    value =
        "!(has(self.degradeAfter) && has(self.cap)) || "
            + "duration(self.degradeAfter) < duration(self.cap)",
    message = "degradeAfter must be below cap")
@ValidationRule(
    value =
        "!(has(self.expected) && has(self.expected.p50) && has(self.expected) && "
            + "has(self.expected.p95)) || duration(self.expected.p50) <= "
            + "duration(self.expected.p95)",
    message = "expected.p50 must not be above expected.p95")
@ValidationRule(
    value = "self.type != 'Generate' || !has(self.capRange) || has(self.cap)",
    message = "capRange needs a cap where the type is Generate")
@ValidationRule(
    value =
        "!(has(self.capRange) && has(self.capRange.min) && has(self.capRange) && "
            + "has(self.capRange.max)) || duration(self.capRange.min) <= "
            + "duration(self.capRange.max)",
    message = "capRange.min must not be above capRange.max")
@ValidationRule(
    value =
        "!(has(self.capRange) && has(self.capRange.min) && has(self.cap)) || "
            + "duration(self.capRange.min) <= duration(self.cap)",
    message = "capRange.min must not be above cap")
@ValidationRule(
    value =
        "!(has(self.cap) && has(self.capRange) && has(self.capRange.max)) || "
            + "duration(self.cap) <= duration(self.capRange.max)",
    message = "cap must not be above capRange.max")
@ValidationRule(
    value =
        "!(has(self.floor) && has(self.capRange) && has(self.capRange.max)) || "
            + "duration(self.floor) <= duration(self.capRange.max)",
    message = "floor must not be above capRange.max")
@ValidationRule(
    value =
        "!has(self.fallback) || has(self.fallback.mode) || "
            + "(has(self.fallback.backend) && self.fallback.backend != "
            + "(has(self.backend) ? self.backend : 'embedded'))",
    message = "fallback must name another backend or a mode")
@ValidationRule(
    value =
        "!(has(self.retry) && has(self.cap)) || self.retry.attemptCaps.all(c, "
            + "duration(c) <= duration(self.cap))",
    message = "retry.attemptCaps must not be above cap")
@ValidationRule(
    value =
        "!(has(self.hedge) && has(self.hedge.after) && has(self.cap)) || "
            + "duration(self.hedge.after) < duration(self.cap)",
    message = "hedge.after must be below cap")
@ValidationRule(
    value =
        "!(has(self.hedge) && has(self.retry)) || duration(self.hedge.after) < "
            + "duration(self.retry.attemptCaps[0])",
    message = "hedge.after must be below the first of retry.attemptCaps")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StageSpec(
    @JsonPropertyDescription(
            "Name of the stage, unique within the journey; a label of its metrics.")
        @Required
        @Pattern(Shape.NAME)
        @Nullable String name,
    @JsonPropertyDescription(
            "What the stage does: Rewrite, Embed, Search, Rerank, Generate or Tool.")
        @Required
        @OneOf({"Rewrite", "Embed", "Search", "Rerank", "Generate", "Tool"})
        @Nullable String type,
    @JsonPropertyDescription(
            "true: an overrun or a failure skips the stage instead of failing the "
                + "journey. For Rewrite, Rerank and Tool. Default false.")
        @Nullable Boolean optional,
    @JsonPropertyDescription(
            "Neighbouring stages with the same value run side by side; the longest counts. All of "
                + "them work on what was known when the first started. The group is over when "
                + "the required ones have ended and the optional ones have ended or are past "
                + "degradeAfter. Not for Generate. Default alone.")
        @Pattern(Shape.NAME)
        @Nullable String parallel,
    @JsonPropertyDescription("What the stage is expected to take, used while nothing is measured.")
        @Nullable ExpectedLatency expected,
    @JsonPropertyDescription(
            "Fail-over happens at the latest here, counted from the start of the "
                + "stage. Below cap. Default expected.p95, else the cap.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String degradeAfter,
    @JsonPropertyDescription(
            "The most the stage may take, even when time is left. At most total. "
                + "Default expected.p95 + 20 %, else a share of total: Rewrite 10 %, Embed "
                + "5 %, Search 20 %, Rerank 10 %. A Tool: 250ms where its url is on the pod's own "
                + "loopback address, else 10 times what the model takes to decide (expected.p50 "
                + "of Rewrite, else of Generate, else 200ms). Generate has none and takes what "
                + "remains.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String cap,
    @JsonPropertyDescription(
            "The stages before this one leave it at least this much. At most cap. "
                + "Default expected.p50, else 40 % of total for Generate and nothing for "
                + "the others.")
        @Pattern(Shape.DURATION)
        @Nullable String floor,
    @JsonPropertyDescription("What rebalancing may do to the cap.") @Nullable CapRangeSpec capRange,
    @JsonPropertyDescription(
            "Passages wanted of a Search, or kept by a Rerank. Default 10 for "
                + "Search; Rerank keeps what the search found.")
        @Min(1)
        @Max(1000)
        @Nullable Integer topK,
    @JsonPropertyDescription(
            "Keyword: a keyword search on the stage's backend starts as soon as the question "
                + "is known. It is merged with the result of the stage, or used alone "
                + "(degraded) if the embedding or the stage fails or is late past its "
                + "allowance. Needs a Rewrite or Embed before. For Search. Default none.")
        @OneOf("Keyword")
        @Nullable String speculative,
    @JsonPropertyDescription("The entry of backends that does the work. Default the embedded one.")
        @Pattern(Shape.NAME)
        @Nullable String backend,
    @JsonPropertyDescription("What runs when the primary call is late or failed.")
        @Nullable StageFallbackSpec fallback,
    @JsonPropertyDescription(
            "Explicit retries after a failure that another attempt may cure. Default none.")
        @Nullable RetrySpec retry,
    @JsonPropertyDescription("A second copy of a slow call; for safe reads only. Default none.")
        @Nullable HedgeSpec hedge,
    @JsonPropertyDescription(
            "Stops calling a backend that is slow or failing, and probes it. Default none.")
        @Nullable BreakerSpec breaker,
    @JsonPropertyDescription("When the condition StageRegressed turns True for this stage.")
        @Nullable RegressionSpec regression,
    @JsonPropertyDescription("What the model is told. For Rewrite and Generate.")
        @Nullable PromptSpec prompt,
    @JsonPropertyDescription(
            "The most tokens of context that the model gets; whole passages are left "
                + "out. For Generate. Default no limit.")
        @Min(1)
        @Max(1000000)
        @Nullable Integer maxContextTokens,
    @JsonPropertyDescription(
            "The most tokens of the answer. For Rewrite and Generate. Default as the "
                + "backend has it.")
        @Min(1)
        @Max(1000000)
        @Nullable Integer maxTokens,
    @JsonPropertyDescription(
            "When retrieval found nothing: Tell gives the model a no-context marker "
                + "and noContextInstructions, Refuse answers 503. For Generate. Default "
                + "Tell.")
        @OneOf({"Tell", "Refuse"})
        @Nullable String whenNoContext) {

  /** A stage of which everything else is default. */
  public static StageSpec of(String name, String type, boolean optional) {
    return new StageSpec(
        name, type, optional, null, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null, null);
  }
}
