package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * One way in which a stage runs. A smaller model or fewer chunks is another form, with a latency
 * law of its own.
 *
 * @param variant {@code v0} for the full form, {@code v1}… for cheaper ones: a metrics label
 * @param backend the backend's name, for metrics and logs
 * @param port what does the work
 * @param topK passages wanted of a search, or kept by a rerank
 * @param ef candidates that an approximate search by vector looks at; null for the backend's own
 * @param keywordOnly a search leaves the vector out
 * @param maxTokens the most tokens of the answer; null for the backend's own limit
 * @param maxContextTokens the most tokens of context; null for no limit
 * @param instructions the declared prompt; empty for the backend's own
 * @param noContextInstructions added where retrieval gave nothing
 * @param reasoningEffort as the backend spells it; null for the backend's own
 */
public record StageForm(
    String variant,
    String backend,
    StagePort port,
    int topK,
    @Nullable Integer ef,
    boolean keywordOnly,
    @Nullable Integer maxTokens,
    @Nullable Integer maxContextTokens,
    String instructions,
    String noContextInstructions,
    @Nullable String reasoningEffort) {}
