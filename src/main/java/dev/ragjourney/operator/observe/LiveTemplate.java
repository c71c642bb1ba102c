package dev.ragjourney.operator.observe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the pods of a journey run, and whether they can. */
public final class LiveTemplate {
  /** The container of a pod that is the pipeline's. */
  public static final String CONTAINER = "pipeline";

  /** The volume of a pod that holds its plan. */
  public static final String PLAN_VOLUME = "plan";

  /** Why a pod is stuck whose image is the fault. */
  public static final String NO_IMAGE = "its image cannot be had";

  /** What a kubelet says of a container that does not start without help. */
  private static final Set<String> STUCK =
      Set.of(
          "CrashLoopBackOff",
          "CreateContainerConfigError",
          "CreateContainerError",
          "ErrImageNeverPull",
          "ErrImagePull",
          "ImageInspectError",
          "ImagePullBackOff",
          "InvalidImageName",
          "RunContainerError");

  private LiveTemplate() {}

  public static Optional<String> image(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().stream()
        .filter(container -> CONTAINER.equals(container.getName()))
        .map(Container::getImage)
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** Which template the Deployment has; empty for one that says none. */
  public static Optional<String> digest(Deployment deployment) {
    return digest(deployment.getSpec().getTemplate().getMetadata());
  }

  /** Which template the pod is of. */
  public static Optional<String> digest(Pod pod) {
    return digest(pod.getMetadata());
  }

  /** Which template the metadata of a template or a pod tells. */
  public static Optional<String> digest(@Nullable ObjectMeta metadata) {
    return Optional.ofNullable(metadata)
        .map(ObjectMeta::getAnnotations)
        .map(annotations -> annotations.get(Labels.TEMPLATE));
  }

  /** The ConfigMap of the plan. */
  public static Optional<String> planMap(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getVolumes().stream()
        .filter(volume -> PLAN_VOLUME.equals(volume.getName()) && volume.getConfigMap() != null)
        .map(volume -> volume.getConfigMap().getName())
        .findFirst();
  }

  /**
   * Why a pod does not get ready by itself; empty while it may. A container that ended once and is
   * not ready counts too: between two crashes it runs for a while.
   */
  public static Optional<String> stuck(Pod pod) {
    if (pod.getStatus() == null
        || pod.getStatus().getContainerStatuses() == null
        || pod.getMetadata().getDeletionTimestamp() != null) {
      return Optional.empty();
    }
    List<ContainerStatus> statuses = pod.getStatus().getContainerStatuses();
    return statuses.stream().flatMap(status -> stuck(status).stream()).findFirst();
  }

  private static Optional<String> stuck(ContainerStatus status) {
    if (Boolean.TRUE.equals(status.getReady())) {
      return Optional.empty();
    }
    String waits =
        status.getState() == null || status.getState().getWaiting() == null
            ? null
            : status.getState().getWaiting().getReason();
    if (waits != null && STUCK.contains(waits)) {
      return Optional.of(
          waits.contains("Image")
              ? NO_IMAGE
              : waits.startsWith("Create") ? "its container cannot be made" : "its pod crashes");
    }
    return Objects.requireNonNullElse(status.getRestartCount(), 0) > 0
        ? Optional.of("its pod crashes")
        : Optional.empty();
  }
}
