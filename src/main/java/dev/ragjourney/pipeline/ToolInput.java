package dev.ragjourney.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool may work on.
 *
 * @param question rewritten where a rewrite ran
 * @param vector its embedding; null where none was made
 * @param passages found so far, best first
 * @param answer what the model wrote; null before it has
 */
// A vector is handed from stage to stage and never compared or kept: a copy would only cost time.
@SuppressWarnings("ArrayRecordComponent")
public record ToolInput(
    String question, float @Nullable [] vector, List<Passage> passages, @Nullable String answer) {
  public ToolInput {
    passages = List.copyOf(passages);
  }
}
