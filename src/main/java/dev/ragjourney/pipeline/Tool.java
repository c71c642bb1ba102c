package dev.ragjourney.pipeline;

/** A service of the user's own whose answer joins the context, or replaces the model's. */
@FunctionalInterface
public non-sealed interface Tool extends StagePort {
  /**
   * @return text for the model's context, or for the caller where the tool formats the answer
   */
  String call(StageCall call, ToolInput input) throws Exception;

  /** Every attempt of one call carries the same key: {@link StageCall#key}. */
  default boolean keyed() {
    return false;
  }
}
