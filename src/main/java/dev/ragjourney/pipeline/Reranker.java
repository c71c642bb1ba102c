package dev.ragjourney.pipeline;

import java.util.List;

/** Puts passages into a better order. */
@FunctionalInterface
public non-sealed interface Reranker extends StagePort {
  /**
   * @return the same passages with new scores, best first
   */
  PassagesFound rerank(StageCall call, String question, List<Passage> passages) throws Exception;
}
