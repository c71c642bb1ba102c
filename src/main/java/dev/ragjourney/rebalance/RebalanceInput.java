package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import java.time.Instant;

/**
 * Everything a round knows about one journey.
 *
 * @param budget with the caps in force
 * @param policy how caps may move
 * @param reading what was measured
 * @param id the journey, to find it in the reading
 * @param moves what is remembered of earlier moves
 * @param paused caps stay for now, by wish of a person
 * @param now the round's time
 */
public record RebalanceInput(
    JourneyBudget budget,
    RebalancePolicy policy,
    LatencyReading reading,
    JourneyId id,
    PastMoves moves,
    boolean paused,
    Instant now) {
  /** Not paused. */
  public RebalanceInput(
      JourneyBudget budget,
      RebalancePolicy policy,
      LatencyReading reading,
      JourneyId id,
      PastMoves moves,
      Instant now) {
    this(budget, policy, reading, id, moves, false, now);
  }
}
