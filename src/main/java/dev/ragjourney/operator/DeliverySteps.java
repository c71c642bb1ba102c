package dev.ragjourney.operator;

import java.time.Duration;
import java.util.List;

/**
 * When pods are asked for their plan after it changed, and when it is announced to those that do
 * not run it yet.
 */
final class DeliverySteps {
  /**
   * @param after the plan was written
   * @param announce set the annotation of pods that are not there yet
   */
  record Step(Duration after, boolean announce) {}

  private static final List<Step> STEPS =
      List.of(
          new Step(Duration.ZERO, true),
          new Step(Duration.ofMillis(500), false),
          new Step(Duration.ofSeconds(1), false),
          new Step(Duration.ofSeconds(2), true),
          new Step(Duration.ofSeconds(3), false),
          new Step(Duration.ofSeconds(5), true),
          new Step(Duration.ofSeconds(8), false),
          new Step(Duration.ofSeconds(15), true),
          new Step(Duration.ofSeconds(30), false));

  /** A mount refreshes within a minute by itself; then only a stuck pod is left. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(30);

  private DeliverySteps() {}

  static Step step(int index) {
    if (index < STEPS.size()) {
      return STEPS.get(index);
    }
    Duration last = STEPS.getLast().after();
    return new Step(last.plus(AFTERWARDS.multipliedBy(index - STEPS.size() + 1L)), false);
  }
}
