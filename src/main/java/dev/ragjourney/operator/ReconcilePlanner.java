package dev.ragjourney.operator;

import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.observe.JourneyReader;
import dev.ragjourney.operator.observe.Observation;
import dev.ragjourney.operator.status.EventFold;
import dev.ragjourney.operator.status.StatusFolder;
import java.time.Duration;

/** The decision of a reconcile: a pure function of what was observed. */
final class ReconcilePlanner {
  /** Everything that matters is watched; this is for what a watch may have lost. */
  private static final Duration QUIET = Duration.ofMinutes(10);

  /** The owner of a taken name is not watched. */
  private static final Duration BLOCKED = Duration.ofSeconds(10);

  private ReconcilePlanner() {}

  static ReconcilePlan plan(Observation seen) {
    return plan(seen, DesiredState.of(seen));
  }

  /** The same with objects that are decided already. */
  static ReconcilePlan plan(Observation seen, Desired desired) {
    RagJourneyStatus status =
        JourneyReader.without(StatusFolder.fold(seen, desired), seen.unserved());
    return new ReconcilePlan(
        desired,
        status,
        EventFold.events(seen.journey().lastStatus(), status),
        seen.foreign().isEmpty() ? QUIET : BLOCKED);
  }
}
