package dev.ragjourney.rebalance;

import java.util.Map;

/** The answer of a latency source. */
public sealed interface LatencyReading {
  /** What the source says of one journey. */
  Whole about(JourneyId id);

  /** Holds for every journey that was asked for. */
  sealed interface Whole extends LatencyReading {
    @Override
    default Whole about(JourneyId id) {
      return this;
    }
  }

  /** What was measured; a journey without any series is absent. */
  record Measured(Map<JourneyId, JourneyWindow> journeys) implements Whole {
    public Measured {
      journeys = Map.copyOf(journeys);
    }
  }

  /**
   * Some journeys were measured; of others the source could not tell.
   *
   * @param failed journeys that it could not tell of, each with the reason
   */
  record Partial(Measured measured, Map<JourneyId, Unavailable> failed) implements LatencyReading {
    public Partial {
      failed = Map.copyOf(failed);
    }

    @Override
    public Whole about(JourneyId id) {
      Unavailable unavailable = failed.get(id);
      return unavailable == null ? measured : unavailable;
    }
  }

  /**
   * The source could not tell.
   *
   * @param reason {@code QueryFailed} or {@code NotConfigured}
   * @param message what happened and what to check
   */
  record Unavailable(String reason, String message) implements Whole {}
}
