package dev.ragjourney.pipeline;

import java.util.Map;

/**
 * What the backends have from this pod at one moment.
 *
 * @param inFlight calls by the backend's name, those that were cut and have not ended yet included
 */
public record PodLoad(Map<String, Integer> inFlight) {
  static final PodLoad NONE = new PodLoad(Map.of());

  public PodLoad {
    inFlight = Map.copyOf(inFlight);
  }
}
