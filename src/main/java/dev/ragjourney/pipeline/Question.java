package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * One request to a journey.
 *
 * @param text what the user asks
 * @param arrivalNanos when it arrived, on the pod's monotonic clock
 * @param callerRemainingNanos what the caller said is left of its own budget, at arrival; null if
 *     it said nothing
 * @param streaming the caller reads the answer as it is written
 * @param traceparent the trace context of this journey's root span; null where nothing is traced
 * @param traceId for the answer; null where nothing is traced
 */
public record Question(
    String text,
    long arrivalNanos,
    @Nullable Long callerRemainingNanos,
    boolean streaming,
    @Nullable String traceparent,
    @Nullable String traceId) {}
