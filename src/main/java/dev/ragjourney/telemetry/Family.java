package dev.ragjourney.telemetry;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.SimpleCollector;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A metric with its children by label values, within the pod's allowance of series.
 *
 * @param <C> the child's type
 */
final class Family<C> {
  private final SimpleCollector<C> collector;
  private final int seriesPerChild;
  private final SeriesAllowance allowance;
  private final ConcurrentHashMap<List<String>, C> children = new ConcurrentHashMap<>();

  private Family(SimpleCollector<C> collector, int seriesPerChild, SeriesAllowance allowance) {
    this.collector = collector;
    this.seriesPerChild = seriesPerChild;
    this.allowance = allowance;
  }

  static Family<Counter.Child> counter(Context in, String name, String help, String... labels) {
    return new Family<>(
        Counter.build(name, help).labelNames(labels).register(in.registry), 1, in.allowance);
  }

  static Family<Gauge.Child> gauge(Context in, String name, String help, String... labels) {
    return new Family<>(
        Gauge.build(name, help).labelNames(labels).register(in.registry), 1, in.allowance);
  }

  /** A histogram's child is a series for each boundary, one for infinity, a count and a sum. */
  static Family<Histogram.Child> histogram(
      Context in, List<Double> boundaries, String name, String help, String... labels) {
    double[] buckets = boundaries.stream().mapToDouble(Double::doubleValue).toArray();
    return new Family<>(
        Histogram.build(name, help).labelNames(labels).buckets(buckets).register(in.registry),
        buckets.length + 3,
        in.allowance);
  }

  /** Where families are registered and what they may use. */
  record Context(CollectorRegistry registry, SeriesAllowance allowance) {}

  /** Makes the child show up at zero. */
  void create(List<String> labels) {
    child(labels);
  }

  /** Lets the child record something, or counts that there was no room for it. */
  void record(List<String> labels, Consumer<C> observation) {
    C child = child(labels);
    if (child == null) {
      allowance.dropped();
    } else {
      observation.accept(child);
    }
  }

  /** Removes the children that are not wanted any more and gives their series back. */
  synchronized void keep(Predicate<List<String>> wanted) {
    for (List<String> labels : children.keySet()) {
      if (!wanted.test(labels)) {
        children.remove(labels);
        collector.remove(labels.toArray(String[]::new));
        allowance.giveBack(seriesPerChild);
      }
    }
  }

  private @Nullable C child(List<String> labels) {
    C child = children.get(labels);
    return child != null ? child : added(labels);
  }

  private synchronized @Nullable C added(List<String> labels) {
    C child = children.get(labels);
    if (child == null && allowance.take(seriesPerChild)) {
      child = collector.labels(labels.toArray(String[]::new));
      children.put(labels, child);
    }
    return child;
  }
}
