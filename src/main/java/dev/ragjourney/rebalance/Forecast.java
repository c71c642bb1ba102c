package dev.ragjourney.rebalance;

/**
 * What settings are expected to give.
 *
 * @param full share of answers that are full and in time
 * @param miss share of answers that are missed
 */
public record Forecast(double full, double miss) {}
