package dev.ragjourney.pipeline;

/** Finds passages. */
@FunctionalInterface
public non-sealed interface PassageSearch extends StagePort {
  /**
   * @return the passages found, best first; empty where nothing matches
   */
  PassagesFound search(StageCall call, SearchQuery query) throws Exception;

  /** With a vector it searches by words too: a keyword search of the same text adds nothing. */
  default boolean searchesBoth() {
    return false;
  }
}
