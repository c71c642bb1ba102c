package dev.ragjourney.budget;

import java.time.Duration;

/**
 * The time of a stage's fallback.
 *
 * @param cap the most the fallback may take
 * @param minRemaining the journey must have at least this much left, else the fallback is not tried
 * @param maxRatio share of the stage's calls that may fall back, 0 to 1
 * @param cancelPrimary end the primary at fail-over instead of leaving it in the race
 */
public record FallbackBudget(
    Duration cap, Duration minRemaining, double maxRatio, boolean cancelPrimary) {}
