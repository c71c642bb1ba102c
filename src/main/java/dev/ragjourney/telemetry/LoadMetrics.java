package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.PodLoad;
import dev.ragjourney.plan.BackendPlan;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.plan.VariantPlan;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the backends have from this pod, and what they may have, read at the moment of the scrape.
 * Shown for every backend of the plan in force, so that a full backend is seen before answers
 * degrade.
 */
final class LoadMetrics extends Collector {
  private static final List<String> LABELS =
      List.of(MetricNames.NAMESPACE, MetricNames.JOURNEY, MetricNames.BACKEND);

  private volatile @Nullable Plan plan;
  private volatile @Nullable Supplier<PodLoad> source;

  void planLoaded(Plan newPlan) {
    plan = newPlan;
  }

  void watch(Supplier<PodLoad> load) {
    source = load;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    Plan current = plan;
    Supplier<PodLoad> watched = source;
    GaugeMetricFamily inFlight =
        new GaugeMetricFamily(
            MetricNames.BACKEND_INFLIGHT,
            "Calls that a backend has from this pod, cut ones that have not ended included",
            LABELS);
    GaugeMetricFamily limit =
        new GaugeMetricFamily(
            MetricNames.BACKEND_LIMIT, "Calls that a backend may have from this pod", LABELS);
    if (current != null && watched != null) {
      PodLoad load = watched.get();
      for (BackendPlan backend : current.backends()) {
        List<String> labels = List.of(current.namespace(), current.journey(), backend.name());
        inFlight.addMetric(labels, load.inFlight().getOrDefault(backend.name(), 0));
        limit.addMetric(labels, backend.maxConcurrent());
      }
    }
    GaugeMetricFamily breakers =
        new GaugeMetricFamily(
            MetricNames.BREAKER_STATE,
            "0: calls go through, 1: a few go through to probe, 2: none does",
            List.of(
                MetricNames.NAMESPACE,
                MetricNames.JOURNEY,
                MetricNames.STAGE,
                MetricNames.BACKEND));
    if (current != null && watched != null) {
      Map<String, Integer> states =
          watched.get().breakers().stream()
              .collect(
                  Collectors.toMap(
                      breaker -> breaker.stage() + '/' + breaker.backend(),
                      breaker -> breaker.state().value()));
      for (int i = 0; i < current.stages().size(); i++) {
        if (current.budget().stages().get(i).breaker() != null) {
          StagePlan stage = current.stages().get(i);
          stage.variants().stream()
              .map(VariantPlan::backend)
              .distinct()
              .forEach(
                  backend ->
                      breakers.addMetric(
                          List.of(current.namespace(), current.journey(), stage.name(), backend),
                          states.getOrDefault(stage.name() + '/' + backend, 0)));
        }
      }
    }
    return List.of(inFlight, limit, breakers);
  }
}
