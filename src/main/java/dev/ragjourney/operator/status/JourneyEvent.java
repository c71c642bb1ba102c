package dev.ragjourney.operator.status;

/**
 * Something that happened to a journey.
 *
 * @param warning whether a person should look
 * @param reason a CamelCase code; one event object a reason, counted
 * @param note for a person
 */
public record JourneyEvent(boolean warning, String reason, String note) {}
