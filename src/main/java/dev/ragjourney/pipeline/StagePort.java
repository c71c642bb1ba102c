package dev.ragjourney.pipeline;

/**
 * What a backend does for a stage. Every port blocks on a thread of its own; when its time is up
 * the thread is interrupted and the call's {@link Cancellation} fires. A port ends then as soon as
 * it can, and never retries.
 */
public sealed interface StagePort
    permits Rewriter, Embedder, PassageSearch, Reranker, Generator, Tool {

  /**
   * The work is computation or native code rather than waiting. It then runs on a platform thread:
   * on a virtual one it would keep the carrier from other journeys, which could not answer in time.
   */
  default boolean holdsCarrier() {
    return false;
  }

  /**
   * The same call may be made twice: it changes nothing, or it carries a key by which the backend
   * knows it again. What is not repeatable is neither retried nor hedged.
   */
  default boolean repeatable() {
    return true;
  }
}
