package dev.ragjourney.plan;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import java.util.List;

/**
 * The only document a pod reads. No secrets: where a backend needs one, the plan says in which
 * mounted file it is.
 *
 * @param schemaVersion of this document; pods read {@link #SCHEMA_VERSION} and the one before
 * @param namespace of the resource
 * @param journey the resource's name
 * @param generation of the spec it was compiled from
 * @param revision grows with every change of the document
 * @param budget times and levels, caps in force included
 * @param stages how each stage runs, in the budget's order
 * @param levels what each level uses, in the budget's order
 * @param backends every backend that a stage form names
 * @param staticMessage the text of the last level
 * @param degradedHint the text for a chat UI when an answer is degraded
 * @param refuseWithoutContext answer 503 instead of telling the model that there is no context
 * @param policy how the journey behaves beside its times
 * @param boundaries upper boundaries of the latency histograms, seconds
 * @param warmUp questions asked of the embedded stages before the pod is ready
 */
public record Plan(
    int schemaVersion,
    String namespace,
    String journey,
    long generation,
    long revision,
    JourneyBudget budget,
    List<StagePlan> stages,
    List<LevelPlan> levels,
    List<BackendPlan> backends,
    String staticMessage,
    String degradedHint,
    boolean refuseWithoutContext,
    JourneyPolicy policy,
    List<Double> boundaries,
    List<String> warmUp) {
  public static final int SCHEMA_VERSION = 1;

  /** The file's name in the ConfigMap and in the mounted directory. */
  public static final String FILE = "plan.json";

  public Plan {
    stages = List.copyOf(stages);
    levels = List.copyOf(levels);
    backends = List.copyOf(backends);
    boundaries = List.copyOf(boundaries);
    warmUp = List.copyOf(warmUp);
  }
}
