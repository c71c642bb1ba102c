package dev.ragjourney.pipeline;

/** Turns text into a vector. */
@FunctionalInterface
public non-sealed interface Embedder extends StagePort {
  /**
   * @return a vector of the backend's dimension, every component finite
   */
  float[] embed(StageCall call, String text) throws Exception;
}
