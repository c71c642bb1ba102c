package dev.ragjourney.operator.observe;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Kinds of the Prometheus operator, which a cluster may have or not, and may get later. */
public enum OptionalKind {
  POD_MONITOR("PodMonitor", "podmonitors"),
  PROMETHEUS_RULE("PrometheusRule", "prometheusrules");

  public static final String GROUP = "monitoring.coreos.com";
  public static final String VERSION = "v1";

  private final String kind;
  private final String plural;

  OptionalKind(String kind, String plural) {
    this.kind = kind;
    this.plural = plural;
  }

  public String kind() {
    return kind;
  }

  public String plural() {
    return plural;
  }

  public static String apiVersion() {
    return GROUP + "/" + VERSION;
  }

  /** How a client finds it. */
  public ResourceDefinitionContext context() {
    return new ResourceDefinitionContext.Builder()
        .withGroup(GROUP)
        .withVersion(VERSION)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }
}
