package dev.ragjourney.crd.parsed;

import java.util.Map;

/**
 * Objects for the Prometheus operator.
 *
 * @param podMonitor whether there is a PodMonitor
 * @param rules whether there is a PrometheusRule
 * @param labels on both
 */
public record Monitoring(Wanted podMonitor, Wanted rules, Map<String, String> labels) {
  public Monitoring {
    labels = Map.copyOf(labels);
  }

  /** When an object is made whose kind a cluster may lack. */
  public enum Wanted {
    /** Where the cluster has the kind. */
    AUTO("Auto"),
    /** In any case; a cluster without the kind is told to be in the way. */
    ALWAYS("Always"),
    NEVER("Never");

    private final String label;

    Wanted(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
