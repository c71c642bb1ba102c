package dev.ragjourney.operator;

import dev.ragjourney.operator.observe.RawJourney;
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
import java.util.stream.Stream;
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
  static Children of(Context<RawJourney> context) {
    return new Children(
        first(context, Deployment.class),
        first(context, Service.class),
        first(context, ServiceAccount.class),
        Stream.of(
                first(context, PodDisruptionBudget.class),
                first(context, HorizontalPodAutoscaler.class),
                first(context, NetworkPolicy.class))
            .<HasMetadata>mapMulti(
                (object, found) -> {
                  if (object != null) {
                    found.accept(object);
                  }
                })
            .toList(),
        List.copyOf(context.getSecondaryResources(ConfigMap.class)),
        List.copyOf(context.getSecondaryResources(Pod.class)));
  }

  private static <T> @Nullable T first(Context<RawJourney> context, Class<T> type) {
    return context.getSecondaryResources(type).stream().findFirst().orElse(null);
  }
}
