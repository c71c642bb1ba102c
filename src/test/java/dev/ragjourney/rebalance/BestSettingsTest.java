package dev.ragjourney.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.rebalance.RebalancePolicy.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class BestSettingsTest {
  @Test
  void beside_a_stage_that_hangs_the_others_keep_the_caps_that_the_search_has_for_them() {
    Map<String, Laws> laws = new HashMap<>(Assistant.typical());
    laws.put("rerank", Laws.lognormal(60, 0.1));
    RebalancePolicy policy = Assistant.policy(Rule.MAX_QUALITY);
    Map<String, RebalancePolicy.CapRange> ranges = new HashMap<>(policy.capRanges());
    ranges.remove("rerank");

    JourneyBudget best =
        BestSettings.of(
            Assistant.seed(),
            Assistant.with(ranges, policy.deadBand()),
            longer(laws),
            longer(Assistant.fallbacks()));

    for (StageBudget stage : best.stages()) {
      if (List.of("rewrite", "embed", "search").contains(stage.name())) {
        assertThat(laws.get(stage.name()).longerThan(Seconds.of(stage.cap())))
            .as("share of %s that is cut", stage.name())
            .isLessThan(0.3);
      }
    }
  }

  private static Map<String, DoubleUnaryOperator> longer(Map<String, Laws> laws) {
    Map<String, DoubleUnaryOperator> longer = new HashMap<>();
    laws.forEach((stage, law) -> longer.put(stage, law::longerThan));
    return longer;
  }
}
