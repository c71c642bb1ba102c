package dev.ragjourney.support;

import dev.ragjourney.budget.BreakerBudget;
import dev.ragjourney.budget.HedgeBudget;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.RetryBudget;
import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.plan.Plan;
import java.time.Duration;
import java.util.List;

/** Plans with a stage whose calls are helped. */
public final class HelpedPlans {
  private HelpedPlans() {}

  /** The same plan with retries, second copies and a breaker for one of its stages. */
  public static Plan with(Plan plan, String name) {
    JourneyBudget budget = plan.budget();
    return SamplePlans.withBudget(
        plan,
        budget.withStages(
            budget.stages().stream().map(s -> s.name().equals(name) ? helped(s) : s).toList()));
  }

  private static StageBudget helped(StageBudget stage) {
    return new StageBudget(
        stage.name(),
        stage.type(),
        stage.optional(),
        stage.group(),
        stage.cap(),
        stage.declaredCap(),
        stage.floor(),
        stage.holdBack(),
        stage.expectedP50(),
        stage.expectedP95(),
        stage.degradeAfter(),
        stage.minUseful(),
        stage.fallback(),
        new RetryBudget(
            List.of(Duration.ofMillis(100), Duration.ofMillis(50)),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            0.2),
        new HedgeBudget(Duration.ofMillis(50), 4, 0.05),
        new BreakerBudget(0.5, 0.25, 20, Duration.ofSeconds(10)));
  }
}
