package dev.ragjourney.operator.observe;

/**
 * The API server's refusal of an object that the operator wanted to apply.
 *
 * @param object kind and name
 * @param message the server's
 * @param generation of the spec that led to it
 */
public record Refusal(String object, String message, long generation) {}
