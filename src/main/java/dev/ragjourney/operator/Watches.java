package dev.ragjourney.operator;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LiveTemplate;
import dev.ragjourney.operator.observe.RawJourney;
import dev.ragjourney.operator.rollout.Standing;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What makes a journey be reconciled: its objects, its pods, and signals from within. */
final class Watches {
  /** More objects than that in one answer would take more memory than all that is held. */
  static final long PAGE = 500;

  private final CompactStores stores;
  private final RecentWrites recent;
  private final SimpleInboundEventSource<RawJourney> signals =
      new SimpleInboundEventSource<>("signals");
  private volatile @Nullable IndexerResourceCache<RawJourney> journeys;
  private volatile @Nullable InformerEventSource<Deployment, RawJourney> deployments;
  private volatile @Nullable InformerEventSource<Pod, RawJourney> pods;

  Watches(CompactStores stores, RecentWrites recent) {
    this.stores = stores;
    this.recent = recent;
  }

  /** Reconciles the journey soon. */
  void signal(JourneyId id) {
    signals.propagateEvent(new ResourceID(id.name(), id.namespace()));
  }

  /** Every journey there is. */
  List<JourneyId> all() {
    IndexerResourceCache<RawJourney> cache = journeys;
    return cache == null
        ? List.of()
        : cache
            .keys()
            .map(key -> new JourneyId(key.getNamespace().orElseThrow(), key.getName()))
            .toList();
  }

  /** Whether the resource is still there. */
  boolean exists(JourneyId id) {
    return journeys == null || journey(id).isPresent();
  }

  /** The resource. */
  Optional<RawJourney> journey(JourneyId id) {
    IndexerResourceCache<RawJourney> cache = journeys;
    return cache == null ? Optional.empty() : cache.get(new ResourceID(id.name(), id.namespace()));
  }

  /**
   * How every journey stands to its pod template.
   *
   * @param wanted the digest of the template
   */
  List<Standing> standings(Function<RawJourney, Optional<String>> wanted) {
    IndexerResourceCache<RawJourney> ofJourneys = journeys;
    InformerEventSource<Deployment, RawJourney> ofDeployments = deployments;
    InformerEventSource<Pod, RawJourney> ofPods = pods;
    if (ofJourneys == null || ofDeployments == null || ofPods == null) {
      return List.of();
    }
    Map<ResourceID, List<Pod>> stuck =
        ofPods
            .list(pod -> LiveTemplate.stuck(pod).isPresent())
            .flatMap(pod -> byLabel(pod).stream().map(id -> Map.entry(id, pod)))
            .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())));
    return ofJourneys
        .list()
        .map(
            journey -> {
              ResourceID id = ResourceID.fromResource(journey);
              return Standing.of(
                  journey,
                  ofDeployments.get(id).orElse(null),
                  stuck.getOrDefault(id, List.of()),
                  wanted.apply(journey));
            })
        .toList();
  }

  List<EventSource<?, RawJourney>> sources(EventSourceContext<RawJourney> context) {
    journeys = context.getPrimaryCache();
    InformerEventSource<Deployment, RawJourney> ofDeployments = source(Deployment.class, context);
    InformerEventSource<Pod, RawJourney> ofPods = source(Pod.class, context);
    deployments = ofDeployments;
    pods = ofPods;
    return List.of(
        ofDeployments,
        source(Service.class, context),
        source(ServiceAccount.class, context),
        source(PodDisruptionBudget.class, context),
        source(HorizontalPodAutoscaler.class, context),
        source(NetworkPolicy.class, context),
        source(ConfigMap.class, context),
        ofPods,
        signals);
  }

  private <T extends HasMetadata> InformerEventSource<T, RawJourney> source(
      Class<T> type, EventSourceContext<RawJourney> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(type, RawJourney.class)
            .withLabelSelector(Labels.OWNED_SELECTOR)
            .withSecondaryToPrimaryMapper(Watches::byLabel)
            .withInformerListLimit(PAGE)
            .withItemStore(stores.of(type))
            .withOnAddFilter(object -> !recent.told(object))
            .withOnDeleteFilter(this::noLongerRecent)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  /** No filter at all: the one place that hears of every deletion. */
  private boolean noLongerRecent(HasMetadata object, Boolean unknownFinalState) {
    recent.deleted(object);
    return true;
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
