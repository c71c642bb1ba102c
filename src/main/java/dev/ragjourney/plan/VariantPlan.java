package dev.ragjourney.plan;

import org.jspecify.annotations.Nullable;

/**
 * One form of a stage.
 *
 * @param id {@code v0} for the full form, {@code v1}… for cheaper ones
 * @param backend a name in {@link Plan#backends}
 * @param topK passages wanted of a search, or kept by a rerank; zero where it means nothing
 * @param ef candidates that an approximate search by vector looks at; null for the backend's own
 * @param keywordOnly a search leaves the vector out
 * @param maxTokens the most tokens of the answer
 * @param maxContextTokens the most tokens of context
 * @param instructions the declared prompt; empty for the backend's own
 * @param noContextInstructions added where retrieval gave nothing; empty for the backend's own
 * @param reasoningEffort as the backend spells it
 */
public record VariantPlan(
    String id,
    String backend,
    int topK,
    @Nullable Integer ef,
    boolean keywordOnly,
    @Nullable Integer maxTokens,
    @Nullable Integer maxContextTokens,
    String instructions,
    String noContextInstructions,
    @Nullable String reasoningEffort) {}
