package dev.ragjourney.pipeline;

/** Turns the question into a better search query. */
@FunctionalInterface
public non-sealed interface Rewriter extends StagePort {
  /**
   * @param instructions the declared prompt; empty for the backend's own
   * @return the query to search with, never blank
   */
  String rewrite(StageCall call, String question, String instructions) throws Exception;
}
