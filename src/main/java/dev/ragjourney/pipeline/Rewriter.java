package dev.ragjourney.pipeline;

import java.util.List;

/** Turns the question into a search query that can be understood on its own. */
@FunctionalInterface
public non-sealed interface Rewriter extends StagePort {
  /**
   * @param earlier the conversation before the question, oldest first
   * @param instructions the declared prompt; empty for the backend's own
   * @return the query to search with, never blank
   */
  String rewrite(StageCall call, String question, List<Turn> earlier, String instructions)
      throws Exception;
}
