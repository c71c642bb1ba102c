package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.Answer;
import org.jspecify.annotations.Nullable;

/** One journey's place in a trace. */
public interface JourneyTrace {
  /** To be handed on to backends; null where there is no trace. */
  @Nullable String traceparent();

  /** For the answer; null where there is no trace. */
  @Nullable String traceId();

  /** The journey is over. */
  void end(Answer answer);

  /** The caller left before there was an answer. */
  void abandon();
}
