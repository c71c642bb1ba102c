package dev.ragjourney.operator;

import dev.ragjourney.rebalance.JourneyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts a changed field right, but does not fight: after three corrections of one object within an
 * hour the operator waits until the hour is over.
 */
final class DriftGuard {
  private static final int CORRECTIONS = 3;
  private static final Duration WINDOW = Duration.ofHours(1);

  private record Place(JourneyId journey, String object) {}

  private final Map<Place, Deque<Instant>> corrections = new ConcurrentHashMap<>();

  /** Whether the object may be corrected now; if so, that is counted. */
  boolean allows(JourneyId journey, String object, Instant now) {
    Deque<Instant> made =
        corrections.computeIfAbsent(new Place(journey, object), place -> new ArrayDeque<>());
    synchronized (made) {
      while (!made.isEmpty() && made.getFirst().isBefore(now.minus(WINDOW))) {
        made.removeFirst();
      }
      if (made.size() >= CORRECTIONS) {
        return false;
      }
      made.addLast(now);
      return true;
    }
  }

  void forget(JourneyId journey) {
    corrections.keySet().removeIf(place -> place.journey().equals(journey));
  }
}
