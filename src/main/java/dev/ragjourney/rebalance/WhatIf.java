package dev.ragjourney.rebalance;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.StageBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What another budget, another policy or a faster stage would give, on the laws that one reading
 * tells. Nothing is measured anew: a stage is taken to be as fast, and its backend as busy, as in
 * the window.
 */
public final class WhatIf {
  private WhatIf() {}

  /**
   * What would be different.
   *
   * @param budget with the same stages, in the same order
   * @param policy how caps may move
   * @param faster how many times as fast a stage would be, by name; below 1 it would be slower
   */
  public record Change(JourneyBudget budget, RebalancePolicy policy, Map<String, Double> faster) {
    public Change {
      faster = Map.copyOf(faster);
    }
  }

  /** Two outlooks, or why there are none. */
  public sealed interface Answer {
    /**
     * @param reason {@link RoundFigures#MEASURED}, or why the operator would not judge these
     *     figures
     * @param message for a person
     */
    record Foreseen(Foresight now, Foresight then, String reason, String message)
        implements Answer {}

    /**
     * No law is known.
     *
     * @param reason one of {@link Reasons}
     */
    record Unknown(String reason, String message) implements Answer {}
  }

  /**
   * What some settings are expected to give.
   *
   * @param attainable share of answers that would be full if nothing were ever cut
   * @param cuts share of each stage's calls that are longer than its cap; a stage without a cap is
   *     absent
   * @param changes what rule MaxQuality would do next
   * @param afterChanges what that would give
   * @param best where the moves of rule MaxQuality lead
   */
  public record Foresight(
      Forecast forecast,
      double attainable,
      Map<String, Double> cuts,
      List<CapChange> changes,
      Forecast afterChanges,
      Forecast best) {
    public Foresight {
      cuts = Map.copyOf(cuts);
      changes = List.copyOf(changes);
    }
  }

  /**
   * @throws IllegalArgumentException if the changed budget has other stages
   */
  public static Answer of(RebalanceInput input, Change change) {
    if (!names(input.budget()).equals(names(change.budget()))) {
      throw new IllegalArgumentException(
          "the stages " + names(change.budget()) + " are not " + names(input.budget()));
    }
    return switch (Verdict.find(input)) {
      case Verdict.Found.Nothing(Verdict(String reason, String message)) ->
          new Answer.Unknown(reason, message);
      case Verdict.Found.Data(Slices slices) -> foreseen(input, slices, change);
    };
  }

  private static Answer foreseen(RebalanceInput input, Slices slices, Change change) {
    Verdict verdict =
        Verdict.judge(
            input,
            slices,
            input.budget().stages().stream().map(stage -> StageFacts.of(stage, slices)).toList());
    Optional<Foresight> now = foresight(input.budget(), input.policy(), slices, Map.of());
    Optional<Foresight> then = foresight(change.budget(), change.policy(), slices, change.faster());
    if (now.isEmpty() || then.isEmpty()) {
      return new Answer.Unknown(
          verdict.measured() ? Reasons.TOO_FEW_SAMPLES : verdict.reason(),
          verdict.measured() ? Rebalancer.NO_LAW : verdict.message());
    }
    return new Answer.Foreseen(now.get(), then.get(), verdict.reason(), verdict.message());
  }

  private static Optional<Foresight> foresight(
      JourneyBudget budget, RebalancePolicy policy, Slices slices, Map<String, Double> faster) {
    return Evidence.of(budget, slices, QualitySearch.fine(budget))
        .map(evidence -> foresight(budget, new MaxQuality(budget, policy, with(evidence, faster))));
  }

  private static Evidence with(Evidence evidence, Map<String, Double> faster) {
    Map<String, CellLaw> laws = new HashMap<>(evidence.laws());
    faster.forEach((stage, times) -> laws.computeIfPresent(stage, (_, law) -> law.faster(times)));
    return new Evidence(
        laws,
        evidence.fallbacks(),
        evidence.failing(),
        List.of(),
        evidence.calls(),
        evidence.drifted());
  }

  private static Foresight foresight(JourneyBudget budget, MaxQuality quality) {
    MaxQuality.Step step = quality.step();
    QualitySearch search = quality.search();
    Map<String, Double> cuts = new HashMap<>();
    for (int i = 0; i < budget.stages().size(); i++) {
      Duration cap = budget.stages().get(i).cap();
      if (cap != null) {
        CellLaw law = search.model().stages().get(i).law();
        cuts.put(budget.stages().get(i).name(), law.longer(search.grid().upTo(cap)));
      }
    }
    return new Foresight(
        step.before(),
        search.whole().model().ceiling(),
        cuts,
        step.worthIt() ? step.changes() : List.of(),
        step.worthIt() ? step.after() : step.before(),
        search.served(search.best()));
  }

  private static List<String> names(JourneyBudget budget) {
    List<String> names = new ArrayList<>();
    for (StageBudget stage : budget.stages()) {
      names.add(stage.name());
    }
    return names;
  }
}
