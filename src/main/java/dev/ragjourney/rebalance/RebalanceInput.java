package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Everything a round knows about one journey.
 *
 * @param budget with the caps in force
 * @param policy how caps may move
 * @param reading what was measured
 * @param id the journey, to find it in the reading
 * @param lastMove when caps last moved; null if they never did
 * @param now the round's time
 */
public record RebalanceInput(
    JourneyBudget budget,
    RebalancePolicy policy,
    LatencyReading reading,
    JourneyId id,
    @Nullable Instant lastMove,
    Instant now) {}
