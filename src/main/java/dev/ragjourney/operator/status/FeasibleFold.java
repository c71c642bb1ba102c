package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Feasibility;
import dev.ragjourney.budget.Finding;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.operator.desired.Desired;
import java.util.Optional;
import java.util.Set;

/**
 * {@code Feasible}: from declared values only.
 *
 * <ul>
 *   <li>True/Fits or True/ReliesOnDonation, with the sum.
 *   <li>False with the reason of the finding that refused the spec.
 *   <li>Unknown/InvalidSpec: other findings are in the way of the sum.
 * </ul>
 */
final class FeasibleFold {
  private static final Set<String> REFUSALS =
      Set.of("CannotFit", "RetriesCannotFit", "LevelCannotFit", "AsyncWork", "PlanTooLarge");

  private FeasibleFold() {}

  static Verdict verdict(Desired desired) {
    return switch (desired) {
      case Desired.Objects objects -> sum(objects.journey().budget());
      case Desired.AsItIs stuck -> refused(stuck);
    };
  }

  private static Verdict refused(Desired.AsItIs stuck) {
    Optional<Finding> refusal =
        stuck.findings().stream().filter(f -> REFUSALS.contains(f.reason())).findFirst();
    return refusal
        .map(
            finding ->
                Verdict.of(
                    Types.FEASIBLE,
                    false,
                    finding.reason(),
                    finding.path() + ": " + finding.message()))
        .orElseGet(
            () ->
                Verdict.unknown(
                    Types.FEASIBLE, stuck.reason(), "there is no valid spec to add up"));
  }

  private static Verdict sum(JourneyBudget budget) {
    Feasibility feasibility = Feasibility.check(budget);
    return Verdict.of(
        Types.FEASIBLE, feasibility.feasible(), feasibility.reason(), feasibility.message());
  }
}
