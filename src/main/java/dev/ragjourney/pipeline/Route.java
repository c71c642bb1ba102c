package dev.ragjourney.pipeline;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a journey needs, as one immutable object that is swapped whole when the plan changes.
 *
 * @param namespace of the resource
 * @param journey the resource's name
 * @param revision of the plan this was made from
 * @param budget times and levels
 * @param stages one route a stage, in the budget's order
 * @param backendLimits the most calls at once by a backend's name; none where there is no entry
 * @param staticMessage the text of the last level
 * @param hints the text for a chat UI when an answer is degraded, one a level
 * @param refuseWithoutContext answer 503 instead of telling the model that there is no context
 * @param policy how the journey behaves beside its times
 * @param answers of earlier questions; null where none are kept
 */
public record Route(
    String namespace,
    String journey,
    long revision,
    JourneyBudget budget,
    List<StageRoute> stages,
    Map<String, Integer> backendLimits,
    String staticMessage,
    List<String> hints,
    boolean refuseWithoutContext,
    JourneyPolicy policy,
    @Nullable AnswerCache answers) {
  public Route {
    stages = List.copyOf(stages);
    hints = List.copyOf(hints);
    backendLimits = Map.copyOf(backendLimits);
  }

  public Route answeringFrom(@Nullable AnswerCache earlier) {
    return new Route(
        namespace,
        journey,
        revision,
        budget,
        stages,
        backendLimits,
        staticMessage,
        hints,
        refuseWithoutContext,
        policy,
        earlier);
  }
}
