package dev.ragjourney.operator.observe;

import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.Rungs;
import java.time.Instant;

/**
 * The latest round's decision for a journey.
 *
 * @param at when it was made
 * @param basis the plan's revision it was made on: a move is carried out on that one only
 * @param rungs when each rung of the ladder last worked, as the round saw it
 */
public record Round(Instant at, long basis, RebalanceDecision decision, Rungs rungs) {}
