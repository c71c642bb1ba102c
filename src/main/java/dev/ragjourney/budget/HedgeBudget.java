package dev.ragjourney.budget;

import java.time.Duration;

/**
 * A second copy of a safe read, started when the first is slow.
 *
 * @param after how long the first copy runs alone
 * @param maxConcurrent hedges in flight at once in one pod
 * @param maxRatio share of the stage's calls that may be hedged, 0 to 1
 */
public record HedgeBudget(Duration after, int maxConcurrent, double maxRatio) {}
