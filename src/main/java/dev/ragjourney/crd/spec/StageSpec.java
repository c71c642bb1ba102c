package dev.ragjourney.crd.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** One step of a journey. */
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
            "Neighbouring stages with the same value run side by side; the longest " + "counts.")
        @Pattern(Shape.NAME)
        @Nullable String parallel,
    @JsonPropertyDescription("What the stage is expected to take, used while nothing is measured.")
        @Nullable ExpectedLatency expected,
    @JsonPropertyDescription(
            "Fail-over happens at the latest here, counted from the start of the "
                + "stage. Below cap. Default the measured p95.")
        @Pattern(Shape.DURATION)
        @NotZero
        @Nullable String degradeAfter,
    @JsonPropertyDescription(
            "The most the stage may take, even when time is left. At most total. "
                + "Default expected.p95 + 20 %, else a share of total: Rewrite 10 %, Embed "
                + "5 %, Search 20 %, Rerank 10 %, Tool 25 %; Generate has none and takes "
                + "what remains.")
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
            "Keyword: a keyword search starts as soon as the question is known, is "
                + "merged with the result of the stage, or used alone if that fails. For "
                + "Search. Default none.")
        @OneOf("Keyword")
        @Nullable String speculative,
    @JsonPropertyDescription("The entry of backends that does the work. Default the embedded one.")
        @Pattern(Shape.NAME)
        @Nullable String backend,
    @JsonPropertyDescription("What runs when the primary call is late or failed.")
        @Nullable StageFallbackSpec fallback,
    @JsonPropertyDescription(
            "Explicit retries after a failure that another attempt may cure. Default " + "none.")
        @Nullable RetrySpec retry,
    @JsonPropertyDescription("A second copy of a slow call; for safe reads only. Default none.")
        @Nullable HedgeSpec hedge,
    @JsonPropertyDescription(
            "Stops calling a backend that is slow or failing, and probes it. Default " + "none.")
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
