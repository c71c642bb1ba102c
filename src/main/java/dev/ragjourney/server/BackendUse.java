package dev.ragjourney.server;

import dev.ragjourney.budget.StageType;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import java.util.Set;
import java.util.TreeSet;

/**
 * A backend, what it is there for and what it reads: as long as all stay the same, it stays open
 * from plan to plan.
 *
 * @param serves types of the stages that name it
 * @param contents tells what it reads when it opens from other contents; empty for nothing
 */
public record BackendUse(BackendPlan plan, Set<StageType> serves, String contents) {
  public BackendUse {
    serves = Set.copyOf(serves);
  }

  static BackendUse of(Plan plan, BackendPlan backend, BackendFactory factory) {
    Set<StageType> serves = new TreeSet<>();
    for (int i = 0; i < plan.stages().size(); i++) {
      if (names(plan.stages().get(i), backend.name())) {
        serves.add(plan.budget().stages().get(i).type());
      }
    }
    // The limit is the journeys' matter: a backend does not open anew for it.
    return new BackendUse(backend.withMaxConcurrent(0), serves, factory.contents(backend, serves));
  }

  private static boolean names(StagePlan stage, String backend) {
    VariantPlan fallback = stage.fallback();
    VariantPlan speculative = stage.speculative();
    return stage.variants().stream().anyMatch(form -> form.backend().equals(backend))
        || (fallback != null && fallback.backend().equals(backend))
        || (speculative != null && speculative.backend().equals(backend));
  }
}
