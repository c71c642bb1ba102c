package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * What to look for.
 *
 * @param text the question, rewritten where a rewrite ran
 * @param vector its embedding; null where none was made, then the search is by keyword
 * @param topK how many passages are wanted
 * @param ef candidates that an approximate search by vector looks at; null for the backend's own
 * @param keywordOnly leave the vector out even where there is one
 */
// A vector is handed from stage to stage and never compared or kept: a copy would only cost time.
@SuppressWarnings("ArrayRecordComponent")
public record SearchQuery(
    String text, float @Nullable [] vector, int topK, @Nullable Integer ef, boolean keywordOnly) {

  /** With as many candidates as the backend looks at by itself. */
  public SearchQuery(String text, float @Nullable [] vector, int topK, boolean keywordOnly) {
    this(text, vector, topK, null, keywordOnly);
  }
}
