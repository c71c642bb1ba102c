package dev.ragjourney.pipeline;

/** Finds passages. */
@FunctionalInterface
public non-sealed interface PassageSearch extends StagePort {
  /**
   * @return the passages found, best first; empty where nothing matches
   */
  PassagesFound search(StageCall call, SearchQuery query) throws Exception;
}
