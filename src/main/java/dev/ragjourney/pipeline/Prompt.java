package dev.ragjourney.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the model is asked.
 *
 * @param question as the user put it
 * @param earlier the conversation before the question, oldest first
 * @param passages the context, best first; empty with {@code noContext}
 * @param instructions the declared instructions; empty for the backend's own
 * @param noContext retrieval gave nothing: the model is told so
 * @param maxTokens the most tokens of the answer; null for the backend's own limit
 * @param reasoningEffort as the backend spells it; null for the backend's own
 */
public record Prompt(
    String question,
    List<Turn> earlier,
    List<Passage> passages,
    String instructions,
    boolean noContext,
    @Nullable Integer maxTokens,
    @Nullable String reasoningEffort) {
  public Prompt {
    earlier = List.copyOf(earlier);
    passages = List.copyOf(passages);
  }

  /** A question that begins no conversation. */
  public Prompt(
      String question,
      List<Passage> passages,
      String instructions,
      boolean noContext,
      @Nullable Integer maxTokens,
      @Nullable String reasoningEffort) {
    this(question, List.of(), passages, instructions, noContext, maxTokens, reasoningEffort);
  }

  Prompt withMaxTokens(@Nullable Integer limit) {
    return new Prompt(question, earlier, passages, instructions, noContext, limit, reasoningEffort);
  }
}
