package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.Autoscaling;
import dev.ragjourney.crd.parsed.Workload;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LiveTemplate;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** How many pods there are, how many may be away at once, and who may reach them. */
final class AvailabilityObjects {
  private AvailabilityObjects() {}

  /**
   * Pods that are not ready may always be evicted: they serve nobody, and block a drain for ever.
   */
  static PodDisruptionBudget disruptionBudget(Owner owner, Workload workload) {
    return new PodDisruptionBudgetBuilder()
        .withMetadata(owner.metadata(owner.id().name()).build())
        .withNewSpec()
        .withMaxUnavailable(new IntOrString(workload.maxUnavailable()))
        .withUnhealthyPodEvictionPolicy("AlwaysAllow")
        .withNewSelector()
        .withMatchLabels(Labels.selector(owner.id().name()))
        .endSelector()
        .endSpec()
        .build();
  }

  /** By the CPU of the journey's own container: a sidecar's idle CPU would hide a busy pipeline. */
  static HorizontalPodAutoscaler autoscaler(Owner owner, Autoscaling autoscaling) {
    return new HorizontalPodAutoscalerBuilder()
        .withMetadata(owner.metadata(owner.id().name()).build())
        .withNewSpec()
        .withNewScaleTargetRef()
        .withApiVersion("apps/v1")
        .withKind("Deployment")
        .withName(owner.id().name())
        .endScaleTargetRef()
        .withMinReplicas(autoscaling.minReplicas())
        .withMaxReplicas(autoscaling.maxReplicas())
        .addNewMetric()
        .withType("ContainerResource")
        .withNewContainerResource()
        .withContainer(LiveTemplate.CONTAINER)
        .withName("cpu")
        .withNewTarget()
        .withType("Utilization")
        .withAverageUtilization(autoscaling.cpuPercent())
        .endTarget()
        .endContainerResource()
        .endMetric()
        .endSpec()
        .build();
  }

  /**
   * Questions, and the admin port for Prometheus, the kubelet and the operator, from anywhere. What
   * pods call is not limited: backends are wherever their URLs say.
   */
  static NetworkPolicy networkPolicy(Owner owner) {
    return new NetworkPolicyBuilder()
        .withMetadata(owner.metadata(owner.id().name()).build())
        .withNewSpec()
        .withNewPodSelector()
        .withMatchLabels(Labels.selector(owner.id().name()))
        .endPodSelector()
        .withPolicyTypes("Ingress")
        .addNewIngress()
        .addNewPort()
        .withProtocol("TCP")
        .withPort(new IntOrString("http"))
        .endPort()
        .addNewPort()
        .withProtocol("TCP")
        .withPort(new IntOrString("admin"))
        .endPort()
        .endIngress()
        .endSpec()
        .build();
  }
}
