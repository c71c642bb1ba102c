package dev.ragjourney.pipeline;

/** A service of the user's own whose answer joins the context. */
@FunctionalInterface
public non-sealed interface Tool extends StagePort {
  /**
   * @return text for the model's context, or for the caller where the tool formats the answer
   */
  String call(StageCall call, String input) throws Exception;
}
