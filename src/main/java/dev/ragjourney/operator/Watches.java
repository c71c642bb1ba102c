package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.rebalance.JourneyId;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What makes a journey be reconciled: its objects, its pods, and signals from within. */
final class Watches {
  private final SimpleInboundEventSource<RawJourney> signals =
      new SimpleInboundEventSource<>("signals");
  private volatile @Nullable IndexerResourceCache<RawJourney> journeys;

  /** Reconciles the journey soon. */
  void signal(JourneyId id) {
    signals.propagateEvent(new ResourceID(id.name(), id.namespace()));
  }

  /** Reconciles every journey soon. */
  void signalAll() {
    IndexerResourceCache<RawJourney> cache = journeys;
    if (cache != null) {
      cache
          .list()
          .forEach(
              journey ->
                  signal(
                      new JourneyId(
                          journey.getMetadata().getNamespace(), journey.getMetadata().getName())));
    }
  }

  /** Whether the resource is still there. */
  boolean exists(JourneyId id) {
    IndexerResourceCache<RawJourney> cache = journeys;
    return cache == null || cache.get(new ResourceID(id.name(), id.namespace())).isPresent();
  }

  List<EventSource<?, RawJourney>> sources(EventSourceContext<RawJourney> context) {
    journeys = context.getPrimaryCache();
    return List.of(
        source(Deployment.class, context),
        source(Service.class, context),
        source(ServiceAccount.class, context),
        source(PodDisruptionBudget.class, context),
        source(HorizontalPodAutoscaler.class, context),
        source(NetworkPolicy.class, context),
        source(ConfigMap.class, context),
        source(Pod.class, context),
        signals);
  }

  private static <T extends HasMetadata> InformerEventSource<T, RawJourney> source(
      Class<T> type, EventSourceContext<RawJourney> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(type, RawJourney.class)
            .withLabelSelector(Labels.OWNED_SELECTOR)
            .withSecondaryToPrimaryMapper(Watches::byLabel)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  /** Pods belong to a ReplicaSet, so it is the label that tells the journey, for all alike. */
  private static Set<ResourceID> byLabel(HasMetadata object) {
    Map<String, String> labels = object.getMetadata().getLabels();
    String journey = labels == null ? null : labels.get(Labels.JOURNEY);
    return journey == null
        ? Set.of()
        : Set.of(new ResourceID(journey, object.getMetadata().getNamespace()));
  }
}
