package dev.ragjourney.pipeline;

import java.util.List;
import java.util.Map;

/**
 * What the backends have from this pod at one moment.
 *
 * @param inFlight calls by the backend's name, those that were cut and have not ended yet included
 * @param breakers of the stages that have one
 */
public record PodLoad(Map<String, Integer> inFlight, List<BreakerReading> breakers) {
  static final PodLoad NONE = new PodLoad(Map.of(), List.of());

  public PodLoad {
    inFlight = Map.copyOf(inFlight);
    breakers = List.copyOf(breakers);
  }

  /** A stage has one breaker for each of its backends. */
  public record BreakerReading(String stage, String backend, BreakerState state) {}

  /** What a breaker does. The value is the metrics' spelling. */
  public enum BreakerState {
    /** Every call goes through. */
    CLOSED(0),
    /** A few calls go through to see whether the backend has recovered. */
    PROBING(1),
    /** No call goes through. */
    OPEN(2);

    private final int value;

    BreakerState(int value) {
      this.value = value;
    }

    public int value() {
      return value;
    }
  }
}
