package dev.ragjourney.rebalance;

import java.util.Map;

/** The answer of a latency source. */
public sealed interface LatencyReading {
  /** What was measured; a journey without any series is absent. */
  record Measured(Map<JourneyId, JourneyWindow> journeys) implements LatencyReading {
    public Measured {
      journeys = Map.copyOf(journeys);
    }
  }

  /**
   * The source could not tell.
   *
   * @param reason {@code QueryFailed} or {@code NotConfigured}
   * @param message what happened and what to check
   */
  record Unavailable(String reason, String message) implements LatencyReading {}
}
