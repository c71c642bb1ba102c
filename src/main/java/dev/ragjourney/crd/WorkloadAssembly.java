package dev.ragjourney.crd;

import dev.ragjourney.crd.parsed.Workload;
import dev.ragjourney.crd.spec.LocalRef;
import dev.ragjourney.crd.spec.ServiceAccountSpec;
import dev.ragjourney.crd.spec.WorkloadSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pods with their defaults resolved. */
final class WorkloadAssembly {
  private static final int REPLICAS = 2;
  private static final int MAX_UNAVAILABLE = 1;

  private WorkloadAssembly() {}

  static Workload assemble(@Nullable WorkloadSpec workload) {
    if (workload == null) {
      return new Workload(
          REPLICAS, null, null, List.of(), Map.of(), null, Map.of(), MAX_UNAVAILABLE, null);
    }
    ServiceAccountSpec account = workload.serviceAccount();
    return new Workload(
        workload.replicas() == null ? REPLICAS : workload.replicas(),
        workload.maxConcurrent(),
        workload.image(),
        Values.list(workload.imagePullSecrets()).stream()
            .map(LocalRef::name)
            .map(Values::given)
            .toList(),
        withoutNulls(workload.resources()),
        account == null ? null : account.name(),
        account == null || account.annotations() == null ? Map.of() : account.annotations(),
        workload.disruption() == null || workload.disruption().maxUnavailable() == null
            ? MAX_UNAVAILABLE
            : workload.disruption().maxUnavailable(),
        workload.podTemplate());
  }

  private static Map<String, Object> withoutNulls(@Nullable Map<String, Object> map) {
    if (map == null) {
      return Map.of();
    }
    Map<String, Object> kept = new LinkedHashMap<>(map);
    kept.values().removeIf(value -> value == null);
    return kept;
  }
}
