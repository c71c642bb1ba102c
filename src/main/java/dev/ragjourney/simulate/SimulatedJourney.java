package dev.ragjourney.simulate;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.rebalance.RebalancePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is simulated of a journey.
 *
 * @param budget with the declared caps
 * @param policy how caps may move
 * @param refuseWithoutContext an answer without context is an error
 * @param forms of each stage, in the budget's order
 */
public record SimulatedJourney(
    JourneyBudget budget,
    RebalancePolicy policy,
    boolean refuseWithoutContext,
    List<StageForms> forms) {
  public SimulatedJourney {
    forms = List.copyOf(forms);
    if (forms.size() != budget.stages().size()) {
      throw new IllegalArgumentException("Every stage has its forms.");
    }
  }

  /**
   * In which form a stage runs.
   *
   * @param byLevel one for each level
   * @param fallback null for a stage without one
   */
  public record StageForms(List<Form> byLevel, @Nullable Form fallback) {
    public StageForms {
      byLevel = List.copyOf(byLevel);
    }
  }

  /**
   * One form of a stage.
   *
   * @param full the form whose calls rebalancing looks at
   */
  public record Form(String backend, boolean keywordOnly, boolean full) {
    boolean sameAs(Form other) {
      return backend.equals(other.backend) && keywordOnly == other.keywordOnly;
    }
  }

  /** The same journey with other settings in force. */
  SimulatedJourney with(JourneyBudget settings) {
    return new SimulatedJourney(settings, policy, refuseWithoutContext, forms);
  }

  SimulatedJourney with(RebalancePolicy other) {
    return new SimulatedJourney(budget, other, refuseWithoutContext, forms);
  }

  int stages() {
    return forms.size();
  }

  boolean runs(int stage, int level) {
    return answersFromStages(level)
        && !budget.levels().get(level).skip().contains(budget.stages().get(stage).name());
  }

  boolean answersFromStages(int level) {
    return budget.levels().get(level).answer() == AnswerSource.STAGES;
  }

  boolean searches() {
    return budget.stages().stream().anyMatch(stage -> stage.type() == StageType.SEARCH);
  }
}
