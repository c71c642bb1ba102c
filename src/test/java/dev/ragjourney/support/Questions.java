package dev.ragjourney.support;

import dev.ragjourney.pipeline.Question;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions that begin no conversation, of no tenant, untraced. */
public final class Questions {
  private Questions() {}

  public static Question asked(long arrivalNanos) {
    return asked(arrivalNanos, null, false);
  }

  public static Question asked(
      long arrivalNanos, @Nullable Long callerRemainingNanos, boolean streaming) {
    return new Question(
        "why?", List.of(), "", arrivalNanos, callerRemainingNanos, streaming, 0, null, null, null);
  }
}
