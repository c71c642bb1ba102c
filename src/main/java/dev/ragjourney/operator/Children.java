package dev.ragjourney.operator;

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
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the watches know of a journey's objects.
 *
 * @param extras those of the kinds that every cluster has
 * @param pods of the journey, also those that are going away
 */
record Children(
    @Nullable Deployment deployment,
    @Nullable Service service,
    @Nullable ServiceAccount serviceAccount,
    List<HasMetadata> extras,
    List<ConfigMap> configMaps,
    List<Pod> pods) {
  private static final List<Class<? extends HasMetadata>> EXTRAS =
      List.of(PodDisruptionBudget.class, HorizontalPodAutoscaler.class, NetworkPolicy.class);

  /** What the watches know, and what they are about to. */
  static Children of(Context<RawJourney> context, JourneyId id, RecentWrites recent) {
    return new Children(
        newest(context, id, recent, Deployment.class),
        newest(context, id, recent, Service.class),
        newest(context, id, recent, ServiceAccount.class),
        EXTRAS.stream()
            .<HasMetadata>mapMulti(
                (type, found) -> {
                  HasMetadata object = newest(context, id, recent, type);
                  if (object != null) {
                    found.accept(object);
                  }
                })
            .toList(),
        recent.newest(
            id, ConfigMap.class, List.copyOf(context.getSecondaryResources(ConfigMap.class))),
        List.copyOf(context.getSecondaryResources(Pod.class)));
  }

  private static <T extends HasMetadata> @Nullable T newest(
      Context<RawJourney> context, JourneyId id, RecentWrites recent, Class<T> type) {
    return recent.newest(
        id, type, id.name(), context.getSecondaryResources(type).stream().findFirst().orElse(null));
  }
}
