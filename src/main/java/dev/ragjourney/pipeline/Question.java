package dev.ragjourney.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request to a journey.
 *
 * @param text what the user asks
 * @param earlier the conversation before it, oldest first; empty for a question of its own
 * @param tenant whose answers may be shared with whom: answers are never reused across tenants;
 *     empty where the caller names none
 * @param arrivalNanos when it arrived, on the pod's monotonic clock
 * @param callerRemainingNanos what the caller said is left of its own budget, at arrival; null if
 *     it said nothing
 * @param streaming the caller reads the answer as it is written
 * @param maxTokens the caller wants no longer answer; null where it sets no limit
 * @param startLevel index of the level that admission chose; the journey starts there, 0 unless the
 *     pod has too much to do
 * @param drill a failure to force; null for none
 * @param traceparent the trace context of this journey's root span; null where nothing is traced
 * @param traceId for the answer; null where nothing is traced
 */
public record Question(
    String text,
    List<Turn> earlier,
    String tenant,
    long arrivalNanos,
    @Nullable Long callerRemainingNanos,
    boolean streaming,
    @Nullable Integer maxTokens,
    int startLevel,
    @Nullable Drill drill,
    @Nullable String traceparent,
    @Nullable String traceId) {
  public Question {
    earlier = List.copyOf(earlier);
  }
}
