package dev.ragjourney.budget;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether a budget can be met, by arithmetic on declared values alone. Every message spells out its
 * sum by name, in seconds, with the reserve on a line of its own.
 */
public sealed interface Feasibility {
  /** A CamelCase code for the {@code Feasible} condition. */
  String reason();

  /** For people; several lines. */
  String message();

  /** The plan may run. */
  boolean feasible();

  static Feasibility check(JourneyBudget budget) {
    return FeasibilityCheck.of(budget);
  }

  /**
   * Even when every stage takes its cap the answer is in time.
   *
   * @param plannedPath Σ of the caps on the critical path, retries and fallbacks included, and
   *     generate's floor
   * @param slack total − planned path: shared insurance, not a reserve
   */
  record Fits(Duration plannedPath, Duration slack, String message) implements Feasibility {
    @Override
    public String reason() {
      return "Fits";
    }

    @Override
    public boolean feasible() {
      return true;
    }
  }

  /**
   * In time only if some stages take less than their caps and so donate to the others.
   *
   * @param plannedPath as above, longer than the total
   */
  record ReliesOnDonation(Duration plannedPath, String message) implements Feasibility {
    @Override
    public String reason() {
      return "ReliesOnDonation";
    }

    @Override
    public boolean feasible() {
      return true;
    }
  }

  /**
   * No run could keep the budget.
   *
   * @param findings at least one; the reasons are {@code AsyncWork}, {@code CannotFit}, {@code
   *     LevelCannotFit} and {@code RetriesCannotFit}
   */
  record Refused(List<Finding> findings) implements Feasibility {
    public Refused {
      findings = List.copyOf(findings);
    }

    @Override
    public String reason() {
      return findings.getFirst().reason();
    }

    @Override
    public String message() {
      return findings.stream().map(Finding::message).collect(Collectors.joining("\n"));
    }

    @Override
    public boolean feasible() {
      return false;
    }
  }
}
