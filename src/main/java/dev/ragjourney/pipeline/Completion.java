package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * How a generation ended.
 *
 * @param finishReason the model's own word: {@code stop}, {@code length}, {@code content_filter} …
 * @param inputTokens as counted by the model; null if it did not say
 * @param outputTokens as counted by the model; null if it did not say
 */
public record Completion(
    String finishReason, @Nullable Integer inputTokens, @Nullable Integer outputTokens) {

  /** The model stopped at the limit it was given, and not at its own end. */
  boolean reachedItsLimit() {
    return finishReason.equals("length");
  }
}
