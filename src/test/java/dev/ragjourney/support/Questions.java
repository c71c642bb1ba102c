package dev.ragjourney.support;

import dev.ragjourney.pipeline.Drill;
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

  /**
   * @param startLevel that admission chose
   * @param drill of this question; null for none
   */
  public static Question admitted(
      long arrivalNanos,
      @Nullable Long callerRemainingNanos,
      int startLevel,
      @Nullable Drill drill) {
    return asked(arrivalNanos, callerRemainingNanos, false, startLevel, drill);
  }

  public static Question asked(
      long arrivalNanos, @Nullable Long callerRemainingNanos, boolean streaming) {
    return asked(arrivalNanos, callerRemainingNanos, streaming, 0, null);
  }

  private static Question asked(
      long arrivalNanos,
      @Nullable Long callerRemainingNanos,
      boolean streaming,
      int startLevel,
      @Nullable Drill drill) {
    return new Question(
        "why?",
        List.of(),
        "",
        arrivalNanos,
        callerRemainingNanos,
        streaming,
        null,
        startLevel,
        drill,
        null,
        null);
  }
}
