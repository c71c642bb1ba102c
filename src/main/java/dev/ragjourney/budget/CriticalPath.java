package dev.ragjourney.budget;

import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/**
 * The order of the stages as time sees it: neighbours of one group run side by side and count as
 * their maximum, everything else adds up.
 */
final class CriticalPath {
  private final int[] stepOf;
  private final int steps;

  CriticalPath(List<StageBudget> stages) {
    stepOf = new int[stages.size()];
    int step = -1;
    for (int i = 0; i < stepOf.length; i++) {
      String group = stages.get(i).group();
      boolean beside = i > 0 && group != null && Objects.equals(group, stages.get(i - 1).group());
      stepOf[i] = beside ? step : ++step;
    }
    steps = step + 1;
  }

  /** Σ over the steps after the stage's own. */
  long after(int stage, IntToLongFunction nanos) {
    return sum(stepOf[stage] + 1, steps, nanos);
  }

  /** Σ over the stage's own step and all later ones. */
  long from(int stage, IntToLongFunction nanos) {
    return sum(stepOf[stage], steps, nanos);
  }

  /** Σ over the steps before the stage's own. */
  long before(int stage, IntToLongFunction nanos) {
    return sum(0, stepOf[stage], nanos);
  }

  /** Σ over all steps. */
  long all(IntToLongFunction nanos) {
    return sum(0, steps, nanos);
  }

  /** The stage whose value counts for the step, or −1 where the step's maximum is zero. */
  int longest(int step, IntToLongFunction nanos) {
    int longest = -1;
    long most = 0;
    for (int i = 0; i < stepOf.length; i++) {
      if (stepOf[i] == step && nanos.applyAsLong(i) > most) {
        most = nanos.applyAsLong(i);
        longest = i;
      }
    }
    return longest;
  }

  int steps() {
    return steps;
  }

  int stepOf(int stage) {
    return stepOf[stage];
  }

  /** The first stage of the next step. */
  int endOfStep(int stage) {
    int end = stage + 1;
    while (end < stepOf.length && stepOf[end] == stepOf[stage]) {
      end++;
    }
    return end;
  }

  private long sum(int fromStep, int toStep, IntToLongFunction nanos) {
    long sum = 0;
    for (int step = fromStep; step < toStep; step++) {
      int longest = longest(step, nanos);
      sum += longest < 0 ? 0 : nanos.applyAsLong(longest);
    }
    return sum;
  }
}
