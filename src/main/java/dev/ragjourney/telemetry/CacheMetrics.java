package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.AnswerCache.Lookup;
import dev.ragjourney.pipeline.AnswerCache.Stock;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.plan.Plan;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import java.util.List;

/** Answers of earlier questions: looked for, kept, dropped. */
final class CacheMetrics {
  private final List<String> journey;
  private final Family<Counter.Child> lookups;
  private final Family<Counter.Child> kept;
  private final Family<Counter.Child> evicted;
  private final Family<Gauge.Child> entries;
  private volatile boolean used;

  CacheMetrics(Family.Context in, Plan plan) {
    journey = List.of(plan.namespace(), plan.journey());
    lookups =
        Family.counter(
            in,
            MetricNames.CACHE_LOOKUPS,
            "Questions looked for among the earlier ones, once a journey",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY,
            MetricNames.RESULT);
    kept = counter(in, MetricNames.CACHE_KEPT, "Answers kept for later questions");
    evicted = counter(in, MetricNames.CACHE_EVICTED, "Kept answers dropped for age or room");
    entries =
        Family.gauge(
            in,
            MetricNames.CACHE_ENTRIES,
            "Answers kept when the last one was added",
            MetricNames.NAMESPACE,
            MetricNames.JOURNEY);
  }

  private static Family<Counter.Child> counter(Family.Context in, String name, String help) {
    return Family.counter(in, name, help, MetricNames.NAMESPACE, MetricNames.JOURNEY);
  }

  /** A journey without a cache has no series of it. */
  void planLoaded(Plan plan) {
    boolean uses = plan.policy().answerCache() != null;
    used = uses;
    lookups.keep(_ -> uses);
    kept.keep(_ -> uses);
    evicted.keep(_ -> uses);
    entries.keep(_ -> uses);
    if (uses) {
      for (Lookup lookup : Lookup.values()) {
        lookups.create(labels(lookup));
      }
      kept.create(journey);
      evicted.create(journey);
      entries.create(journey);
    }
  }

  void lookedUp(Lookup lookup) {
    if (used) {
      lookups.record(labels(lookup), Counter.Child::inc);
    }
  }

  void kept(Stock stock) {
    if (used) {
      kept.record(journey, Counter.Child::inc);
      evicted.record(journey, child -> child.inc(stock.evicted()));
      entries.record(journey, child -> child.set(stock.entries()));
    }
  }

  private List<String> labels(Lookup lookup) {
    return List.of(journey.getFirst(), journey.getLast(), lookup.label());
  }
}
