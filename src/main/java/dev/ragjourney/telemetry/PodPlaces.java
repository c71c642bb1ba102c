package dev.ragjourney.telemetry;

/**
 * How busy a pod is.
 *
 * @param inFlight journeys on their way
 * @param limit how many may be at once
 * @param queued questions that wait for a place
 */
public record PodPlaces(int inFlight, int limit, int queued) {}
