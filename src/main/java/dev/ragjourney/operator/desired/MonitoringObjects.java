package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.OptionalKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the Prometheus operator reads: where to scrape, and when to wake somebody. */
final class MonitoringObjects {
  /** A round needs two scrapes in an interval; four leave room for a lost one. */
  private static final int SCRAPES = 4;

  private static final Duration SELDOM = Duration.ofSeconds(30);

  private MonitoringObjects() {}

  /**
   * The pods' own {@code namespace} label is the target's, so the copy that Prometheus makes of it
   * is dropped.
   */
  static GenericKubernetesResource podMonitor(Owner owner, ParsedJourney journey) {
    Duration often = journey.rebalance().interval().dividedBy(SCRAPES);
    long seconds = Math.clamp(often.toSeconds(), 1, SELDOM.toSeconds());
    return object(
        owner,
        journey,
        OptionalKind.POD_MONITOR,
        Map.of(
            "selector",
            Map.of("matchLabels", Labels.selector(owner.id().name())),
            "podMetricsEndpoints",
            List.of(
                Map.of(
                    "port",
                    "admin",
                    "path",
                    "/metrics",
                    "interval",
                    seconds + "s",
                    "metricRelabelings",
                    List.of(Map.of("action", "labeldrop", "regex", "exported_namespace"))))));
  }

  static GenericKubernetesResource rules(Owner owner, ParsedJourney journey) {
    return object(
        owner,
        journey,
        OptionalKind.PROMETHEUS_RULE,
        Map.of(
            "groups",
            List.of(
                Map.of(
                    "name",
                    "ragjourney." + owner.id().name(),
                    "rules",
                    AlertRules.of(owner.id(), journey.objective())))));
  }

  private static GenericKubernetesResource object(
      Owner owner, ParsedJourney journey, OptionalKind kind, Map<String, Object> spec) {
    Map<String, String> labels = new HashMap<>(journey.monitoring().labels());
    labels.putAll(Labels.of(owner.id().name()));
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(OptionalKind.apiVersion());
    object.setKind(kind.kind());
    object.setMetadata(owner.metadata(owner.id().name()).withLabels(labels).build());
    object.setAdditionalProperty("spec", spec);
    return object;
  }
}
