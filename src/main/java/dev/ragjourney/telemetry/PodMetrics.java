package dev.ragjourney.telemetry;

import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.hotspot.DefaultExports;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Figures of the pod itself. They outlive every plan, and bear the name of the one in force. */
final class PodMetrics extends Collector {
  private static final List<String> NO_LABELS = List.of("", "");

  private final CollectorRegistry registry = new CollectorRegistry();
  private final LongAdder loaded = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final Map<String, LongAdder> ignoredHeaders = new ConcurrentHashMap<>();
  private final LoadMetrics load = new LoadMetrics();
  private final AdmissionMetrics admissions = new AdmissionMetrics(registry, this::names);
  private volatile @Nullable Plan plan;

  PodMetrics() {
    DefaultExports.register(registry);
    registry.register(this);
    registry.register(load);
  }

  CollectorRegistry registry() {
    return registry;
  }

  LoadMetrics load() {
    return load;
  }

  AdmissionMetrics admissions() {
    return admissions;
  }

  LongAdder dropped() {
    return dropped;
  }

  void planLoaded(Plan newPlan) {
    plan = newPlan;
    load.planLoaded(newPlan);
    loaded.increment();
    admissions.create();
  }

  void planRefused() {
    refused.increment();
  }

  /** {@code header} is one of the few that the server reads, never a name a caller made up. */
  void budgetHeaderIgnored(String header) {
    ignoredHeaders.computeIfAbsent(header, name -> new LongAdder()).increment();
  }

  @Override
  public List<MetricFamilySamples> collect() {
    Plan current = plan;
    List<String> names = names();
    List<MetricFamilySamples> families = new ArrayList<>();
    CounterMetricFamily reloads =
        new CounterMetricFamily(
            MetricNames.PLAN_RELOADS, "Plans read, by what came of it", labels(MetricNames.RESULT));
    reloads.addMetric(with(names, "loaded"), loaded.doubleValue());
    reloads.addMetric(with(names, "refused"), refused.doubleValue());
    families.add(reloads);
    if (current != null) {
      GaugeMetricFamily revision =
          new GaugeMetricFamily(
              MetricNames.PLAN_REVISION,
              "The revision of the plan in force",
              List.of(MetricNames.NAMESPACE, MetricNames.JOURNEY));
      revision.addMetric(names, (double) current.revision());
      families.add(revision);
    }
    CounterMetricFamily ignored =
        new CounterMetricFamily(
            MetricNames.BUDGET_HEADERS_IGNORED,
            "Headers with a remaining time that could not be read",
            labels(MetricNames.HEADER));
    new TreeMap<>(ignoredHeaders)
        .forEach((header, count) -> ignored.addMetric(with(names, header), count.doubleValue()));
    families.add(ignored);
    CounterMetricFamily lost =
        new CounterMetricFamily(
            MetricNames.SERIES_DROPPED,
            "Observations without room for their series",
            List.of(MetricNames.NAMESPACE, MetricNames.JOURNEY));
    lost.addMetric(names, dropped.doubleValue());
    families.add(lost);
    return families;
  }

  private List<String> names() {
    Plan current = plan;
    return current == null ? NO_LABELS : List.of(current.namespace(), current.journey());
  }

  private static List<String> labels(String more) {
    return List.of(MetricNames.NAMESPACE, MetricNames.JOURNEY, more);
  }

  private static List<String> with(List<String> names, String more) {
    return List.of(names.getFirst(), names.getLast(), more);
  }
}
