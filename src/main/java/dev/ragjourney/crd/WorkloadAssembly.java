package dev.ragjourney.crd;

import dev.ragjourney.crd.parsed.Autoscaling;
import dev.ragjourney.crd.parsed.Workload;
import dev.ragjourney.crd.spec.AutoscalingSpec;
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
  private static final int TARGET_CPU_PERCENT = 70;

  private WorkloadAssembly() {}

  static Workload assemble(@Nullable WorkloadSpec workload) {
    if (workload == null) {
      return new Workload(
          REPLICAS,
          null,
          null,
          List.of(),
          Map.of(),
          null,
          Map.of(),
          null,
          false,
          MAX_UNAVAILABLE,
          null);
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
        autoscaling(workload.autoscaling()),
        "Managed".equals(workload.networkPolicy()),
        workload.disruption() == null || workload.disruption().maxUnavailable() == null
            ? MAX_UNAVAILABLE
            : workload.disruption().maxUnavailable(),
        workload.podTemplate());
  }

  private static @Nullable Autoscaling autoscaling(@Nullable AutoscalingSpec spec) {
    if (spec == null) {
      return null;
    }
    Integer fewest = spec.minReplicas();
    return new Autoscaling(
        fewest == null ? REPLICAS : fewest,
        Values.given(spec.maxReplicas()),
        spec.targetCPU() == null ? TARGET_CPU_PERCENT : percent(spec.targetCPU()));
  }

  /** Of a share that may exceed the whole, in the shape that was checked. */
  static int percent(String share) {
    return Integer.parseInt(share.substring(0, share.length() - 1));
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
