package dev.ragjourney.crd.parsed;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a valid spec says.
 *
 * @param budget times and levels, with the declared caps in force
 * @param rebalance how caps may move
 * @param objective what is acceptable
 * @param stages how each stage runs, in the budget's order
 * @param levels what each level uses, in the budget's order
 * @param backends every backend that a form names
 * @param documents of the embedded search; null where every search is elsewhere
 * @param workload the pods
 * @param monitoring objects for the Prometheus operator
 * @param staticMessage the text of the last level
 * @param degradedHint the text for a chat UI when an answer is degraded
 * @param refuseWithoutContext answer 503 instead of telling the model that there is no context
 * @param policy how the journey behaves beside its times
 * @param warmUp questions asked of the embedded stages before a pod is ready
 */
public record ParsedJourney(
    JourneyBudget budget,
    RebalancePolicy rebalance,
    Objective objective,
    List<ParsedStage> stages,
    List<ParsedLevel> levels,
    List<ParsedBackend> backends,
    @Nullable Documents documents,
    Workload workload,
    Monitoring monitoring,
    String staticMessage,
    String degradedHint,
    boolean refuseWithoutContext,
    JourneyPolicy policy,
    List<String> warmUp) {
  public ParsedJourney {
    stages = List.copyOf(stages);
    levels = List.copyOf(levels);
    backends = List.copyOf(backends);
    warmUp = List.copyOf(warmUp);
  }
}
