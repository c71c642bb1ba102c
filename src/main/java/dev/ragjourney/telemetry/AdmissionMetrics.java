package dev.ragjourney.telemetry;

import dev.ragjourney.plan.MetricNames;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.Histogram;
import java.util.List;
import java.util.function.Supplier;

/** The pod's places: saturation shows here before answers degrade. */
final class AdmissionMetrics extends Collector {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double[] WAITS = {0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

  private final Supplier<List<String>> names;
  private final Histogram waited;
  private final Counter results;
  private volatile Supplier<PodPlaces> load = () -> new PodPlaces(0, 0, 0);

  /**
   * @param names of the namespace and the journey
   */
  AdmissionMetrics(CollectorRegistry registry, Supplier<List<String>> names) {
    this.names = names;
    waited =
        Histogram.build(MetricNames.POD_QUEUE, "How long questions waited for a place")
            .labelNames(MetricNames.NAMESPACE, MetricNames.JOURNEY)
            .buckets(WAITS)
            .register(registry);
    results =
        Counter.build(MetricNames.POD_ADMISSIONS, "Questions, by what became of them on arrival")
            .labelNames(MetricNames.NAMESPACE, MetricNames.JOURNEY, MetricNames.RESULT)
            .register(registry);
    registry.register(this);
  }

  void of(Supplier<PodPlaces> current) {
    load = current;
  }

  /** From now on these are there, at zero. */
  void create() {
    List<String> now = names.get();
    waited.labels(now.getFirst(), now.getLast());
    for (Admitted result : Admitted.values()) {
      results.labels(now.getFirst(), now.getLast(), result.label());
    }
  }

  void record(Admitted result, long waitedNanos) {
    List<String> now = names.get();
    waited.labels(now.getFirst(), now.getLast()).observe(waitedNanos / NANOS_PER_SECOND);
    results.labels(now.getFirst(), now.getLast(), result.label()).inc();
  }

  @Override
  public List<MetricFamilySamples> collect() {
    PodPlaces now = load.get();
    return List.of(
        gauge(MetricNames.POD_INFLIGHT, "Journeys on their way", now.inFlight()),
        gauge(MetricNames.POD_LIMIT, "Journeys that may be on their way at once", now.limit()),
        gauge(MetricNames.POD_QUEUED, "Questions that wait for a place", now.queued()));
  }

  private GaugeMetricFamily gauge(String name, String help, int value) {
    GaugeMetricFamily family =
        new GaugeMetricFamily(name, help, List.of(MetricNames.NAMESPACE, MetricNames.JOURNEY));
    family.addMetric(names.get(), value);
    return family;
  }
}
