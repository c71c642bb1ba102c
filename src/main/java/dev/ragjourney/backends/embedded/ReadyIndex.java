package dev.ragjourney.backends.embedded;

import dev.ragjourney.pipeline.BackendException;

/** The index as of now. */
@FunctionalInterface
interface ReadyIndex {
  /**
   * @throws BackendException of kind NOT_READY, saying what is missing
   */
  EmbeddedIndex get() throws BackendException;
}
