package dev.ragjourney.support;

import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Turn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions that begin no conversation, of no tenant, untraced. */
public final class Questions {
  private Questions() {}

  public static Question asked(long arrivalNanos) {
    return asked(arrivalNanos, null, false);
  }

  /** Within a conversation, for an answer of at most so many tokens. */
  public static Question within(
      List<Turn> earlier, @Nullable Integer maxTokens, long arrivalNanos) {
    return new Question(
        "why?", earlier, "", arrivalNanos, null, false, maxTokens, 0, null, null, null);
  }

  public static Question asked(
      long arrivalNanos, @Nullable Long callerRemainingNanos, boolean streaming) {
    return new Question(
        "why?",
        List.of(),
        "",
        arrivalNanos,
        callerRemainingNanos,
        streaming,
        null,
        0,
        null,
        null,
        null);
  }
}
