package dev.ragjourney.pipeline;

/** Writes the answer. */
@FunctionalInterface
public non-sealed interface Generator extends StagePort {
  /**
   * Hands every piece of content to the sink and returns when the answer is complete. A stream that
   * ends without the model's own end mark is a {@link BackendException} of kind INVALID_ANSWER.
   */
  Completion generate(StageCall call, Prompt prompt, TokenSink sink) throws Exception;
}
