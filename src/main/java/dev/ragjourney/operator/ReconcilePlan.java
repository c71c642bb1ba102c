package dev.ragjourney.operator;

import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.desired.Desired;
import dev.ragjourney.operator.status.JourneyEvent;
import java.time.Duration;
import java.util.List;

/**
 * What a reconcile is going to do.
 *
 * @param desired the objects
 * @param status as it should read
 * @param events to tell
 * @param nextCheck when to look again even if nothing happens
 */
record ReconcilePlan(
    Desired desired, RagJourneyStatus status, List<JourneyEvent> events, Duration nextCheck) {
  ReconcilePlan {
    events = List.copyOf(events);
  }
}
