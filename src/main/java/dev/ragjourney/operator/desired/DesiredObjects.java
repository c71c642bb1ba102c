package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.Autoscaling;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.Workload;
import dev.ragjourney.operator.observe.Labels;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The objects beside the plan. Only fields that matter are declared; others are anybody's. */
final class DesiredObjects {
  /** The first start of a big document set indexes it, which takes minutes. */
  private static final int PROGRESS_DEADLINE_SECONDS = 1800;

  private DesiredObjects() {}

  /**
   * @param first it is not there yet
   */
  static Deployment deployment(
      Owner owner, ParsedJourney journey, String planMap, String image, boolean first)
      throws InvalidOverlayException {
    return new DeploymentBuilder()
        .withMetadata(owner.metadata(owner.id().name()).build())
        .withNewSpec()
        .withReplicas(replicas(journey.workload(), first))
        .withRevisionHistoryLimit(2)
        .withProgressDeadlineSeconds(PROGRESS_DEADLINE_SECONDS)
        .withNewSelector()
        .withMatchLabels(Labels.selector(owner.id().name()))
        .endSelector()
        .withNewStrategy()
        .withType("RollingUpdate")
        .withNewRollingUpdate()
        .withMaxUnavailable(new IntOrString(0))
        .withMaxSurge(new IntOrString(1))
        .endRollingUpdate()
        .endStrategy()
        .withTemplate(PodTemplate.of(owner.id().name(), journey, planMap, image))
        .endSpec()
        .build();
  }

  /**
   * An autoscaler's number is not ours to say, but a new Deployment without one has a single pod.
   */
  private static @Nullable Integer replicas(Workload workload, boolean first) {
    Autoscaling autoscaling = workload.autoscaling();
    if (autoscaling == null) {
      return workload.replicas();
    }
    return first ? autoscaling.minReplicas() : null;
  }

  static Service service(Owner owner) {
    return new ServiceBuilder()
        .withMetadata(owner.metadata(owner.id().name()).build())
        .withNewSpec()
        .withSelector(Labels.selector(owner.id().name()))
        .addNewPort()
        .withName("http")
        .withPort(80)
        .withProtocol("TCP")
        .withTargetPort(new IntOrString("http"))
        .endPort()
        .endSpec()
        .build();
  }

  /** Empty where the journey uses an account that is there already. */
  static Optional<ServiceAccount> serviceAccount(Owner owner, Workload workload) {
    if (workload.serviceAccountName() != null) {
      return Optional.empty();
    }
    return Optional.of(
        new ServiceAccountBuilder()
            .withMetadata(
                owner
                    .metadata(owner.id().name())
                    .withAnnotations(workload.serviceAccountAnnotations())
                    .build())
            .withAutomountServiceAccountToken(false)
            .build());
  }
}
