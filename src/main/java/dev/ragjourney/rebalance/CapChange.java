package dev.ragjourney.rebalance;

import java.time.Duration;

/**
 * One stage's move.
 *
 * @param why at most 160 characters, with the figures behind it
 */
public record CapChange(String stage, Duration from, Duration to, String why) {}
