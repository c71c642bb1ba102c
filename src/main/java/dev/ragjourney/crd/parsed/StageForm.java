package dev.ragjourney.crd.parsed;

import org.jspecify.annotations.Nullable;

/**
 * One form of a stage.
 *
 * @param variant {@code v0} for the full form, {@code v1}… for others, {@code fallback} for the
 *     fallback's
 * @param backend a name in {@link ParsedJourney#backends}
 * @param topK passages wanted of a search, or kept by a rerank; zero where it means nothing
 * @param ef candidates that an approximate search by vector looks at; null for the backend's own
 * @param keywordOnly a search leaves the vector out
 * @param maxTokens the most tokens of the answer; null for the backend's own limit
 * @param maxContextTokens the most tokens of context; null for no limit
 * @param instructions the declared prompt; empty for the backend's own
 * @param noContextInstructions added where retrieval gave nothing; empty for the backend's own
 * @param reasoningEffort as the backend spells it; null for the backend's own
 */
public record StageForm(
    String variant,
    String backend,
    int topK,
    @Nullable Integer ef,
    boolean keywordOnly,
    @Nullable Integer maxTokens,
    @Nullable Integer maxContextTokens,
    String instructions,
    String noContextInstructions,
    @Nullable String reasoningEffort) {

  /** The same form under another name. */
  public StageForm as(String newVariant) {
    return new StageForm(
        newVariant,
        backend,
        topK,
        ef,
        keywordOnly,
        maxTokens,
        maxContextTokens,
        instructions,
        noContextInstructions,
        reasoningEffort);
  }
}
