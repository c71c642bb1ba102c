package dev.ragjourney.budget;

/**
 * Something wrong or noteworthy in a resource.
 *
 * @param path the field, like {@code spec.stages[1].cap}
 * @param reason a CamelCase code, stable across releases
 * @param message the value found and what would be right
 */
public record Finding(String path, String reason, String message) {}
