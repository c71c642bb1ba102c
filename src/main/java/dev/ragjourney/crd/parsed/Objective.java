package dev.ragjourney.crd.parsed;

/**
 * Acceptable shares of all answers.
 *
 * @param missRatio missed answers, 0 to 1
 * @param degradedRatio degraded answers, 0 to 1
 */
public record Objective(double missRatio, double degradedRatio) {}
