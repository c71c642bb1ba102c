package dev.ragjourney.rebalance;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a round expects of a journey's settings.
 *
 * @param inForce of the settings in force
 * @param attainable share of answers that would be full if nothing were ever cut: no caps give more
 * @param costs what each stage took beyond its median in journeys without a full answer, as a share
 *     of all that was; empty if none did
 * @param costliestStage the one with the largest share; null if none did
 * @param remedy what would buy full answers back, for people; null if nothing was lost
 * @param rules what each rule would do next, and what that would give
 * @param advice what to leave out; null where nothing is
 */
public record Forecasts(
    Forecast inForce,
    double attainable,
    Map<String, Double> costs,
    @Nullable String costliestStage,
    @Nullable String remedy,
    List<OfRule> rules,
    @Nullable LadderAdvice advice) {
  public Forecasts {
    costs = Map.copyOf(costs);
    rules = List.copyOf(rules);
  }

  /**
   * One rule's next move.
   *
   * @param changes none where the rule keeps the settings in force
   */
  public record OfRule(RebalancePolicy.Rule rule, Forecast forecast, List<CapChange> changes) {
    public OfRule {
      changes = List.copyOf(changes);
    }
  }
}
