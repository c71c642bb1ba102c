package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.Rungs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;

/** A round that moves the cap of the minimal journey's search, and where to find what it did. */
final class MovedCaps {
  static final Duration DECLARED = Duration.ofMillis(600);
  static final Duration MOVED = Duration.ofMillis(720);

  private MovedCaps() {}

  static Round move(long basis) {
    return move(basis, new CapChange("search", DECLARED, MOVED, "p95 600 ms + 20 %"));
  }

  static Round move(long basis, CapChange change) {
    return new Round(
        Journeys.NOW,
        basis,
        new RebalanceDecision.Move(
            Reasons.REBALANCED,
            "moved",
            List.of(change),
            new RoundFigures(
                RoundFigures.MEASURED, "", List.of(), RoundFigures.JourneyFigures.NONE)),
        Rungs.NONE);
  }

  static Duration cap(Plan plan) {
    return plan.budget().stages().stream()
        .filter(stage -> stage.name().equals("search"))
        .map(StageBudget::cap)
        .findFirst()
        .orElseThrow();
  }

  static ConfigMap planMap(Desired.Objects desired) {
    return Journeys.find(desired, ConfigMap.class);
  }
}
