package dev.ragjourney.operator.desired;

import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.crd.parsed.ParsedJourney;
import dev.ragjourney.crd.parsed.Workload;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.operator.observe.LiveTemplate;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pods of a pipeline, within the restricted Pod Security Standard. */
final class PodTemplate {
  private static final int PORT = 8080;
  private static final int ADMIN_PORT = 8081;
  private static final String RESERVED = "RAGJOURNEY_";
  private static final Duration DRAIN_MARGIN = Duration.ofSeconds(10);
  private static final Duration LONGEST_GRACE = Duration.ofMinutes(15);

  /**
   * Read by the java launcher. Native calls of the embedded model pin carrier threads, so a small
   * CPU share still gets four.
   */
  private static final String JAVA_OPTIONS =
      "-XX:MaxRAMPercentage=50 -XX:+UseG1GC -XX:MaxGCPauseMillis=10"
          + " -Djdk.virtualThreadScheduler.parallelism=4";

  private PodTemplate() {}

  /**
   * The pods, which carry the digest of their template.
   *
   * @param name of the journey
   */
  static PodTemplateSpec of(String name, ParsedJourney journey, String planMap, String image)
      throws InvalidOverlayException {
    PodTemplateSpec template = unsigned(name, journey, planMap, image);
    String digest = Digest.ofContent(template);
    return new PodTemplateSpecBuilder(template)
        .editMetadata()
        .addToAnnotations(Labels.TEMPLATE, digest)
        .endMetadata()
        .build();
  }

  private static PodTemplateSpec unsigned(
      String name, ParsedJourney journey, String planMap, String image)
      throws InvalidOverlayException {
    Workload workload = journey.workload();
    Overlay overlay = Overlay.of(workload.podTemplate());
    Map<String, String> labels = new HashMap<>(overlay.labels());
    labels.putAll(Labels.of(name));
    Mounts mounts = Mounts.of(journey, planMap);
    List<Container> containers = new ArrayList<>();
    containers.add(container(workload, overlay, mounts, image));
    containers.addAll(overlay.sidecars());
    String account = workload.serviceAccountName();
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(labels)
        .withAnnotations(overlay.annotations())
        .endMetadata()
        .withNewSpec()
        .withServiceAccountName(account == null ? name : account)
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withTerminationGracePeriodSeconds(grace(journey.budget()).toSeconds())
        .withImagePullSecrets(
            workload.imagePullSecrets().stream().map(LocalObjectReference::new).toList())
        .withNewSecurityContext()
        .withRunAsNonRoot(true)
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .endSecurityContext()
        .withNodeSelector(overlay.nodeSelector())
        .withTolerations(overlay.tolerations())
        .withAffinity(overlay.affinity())
        .withTopologySpreadConstraints(overlay.topologySpreadConstraints())
        .withPriorityClassName(overlay.priorityClassName())
        .withContainers(containers)
        .withVolumes(joined(mounts.volumes(), overlay.volumes()))
        .endSpec()
        .build();
  }

  /** Time to finish what is in flight: the whole journey and the longest stream, and a margin. */
  static Duration grace(JourneyBudget budget) {
    Duration grace = budget.total().plus(budget.streamMax()).plus(DRAIN_MARGIN);
    return grace.compareTo(LONGEST_GRACE) > 0 ? LONGEST_GRACE : grace;
  }

  private static Container container(
      Workload workload, Overlay overlay, Mounts mounts, String image)
      throws InvalidOverlayException {
    return new ContainerBuilder()
        .withName(LiveTemplate.CONTAINER)
        .withImage(image)
        .withArgs("pipeline")
        .withEnv(environment(workload, overlay.env()))
        .addNewPort()
        .withName("http")
        .withContainerPort(PORT)
        .endPort()
        .addNewPort()
        .withName("admin")
        .withContainerPort(ADMIN_PORT)
        .endPort()
        .withResources(resources(workload.resources()))
        .withSecurityContext(security())
        .withStartupProbe(probe("/livez").withPeriodSeconds(2).withFailureThreshold(150).build())
        .withLivenessProbe(probe("/livez").withPeriodSeconds(10).withFailureThreshold(3).build())
        .withReadinessProbe(probe("/readyz").withPeriodSeconds(2).withFailureThreshold(2).build())
        .withVolumeMounts(joined(mounts.mounts(), overlay.volumeMounts()))
        .build();
  }

  private static SecurityContext security() {
    return new SecurityContextBuilder()
        .withRunAsNonRoot(true)
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .build();
  }

  private static ProbeBuilder probe(String path) {
    return new ProbeBuilder()
        .withTimeoutSeconds(2)
        .withNewHttpGet()
        .withPath(path)
        .withPort(new IntOrString("admin"))
        .endHttpGet();
  }

  private static List<EnvVar> environment(Workload workload, List<EnvVar> added)
      throws InvalidOverlayException {
    List<EnvVar> environment = new ArrayList<>();
    for (EnvVar variable : added) {
      if (variable.getName() != null && variable.getName().startsWith(RESERVED)) {
        throw new InvalidOverlayException(
            "spec.workload.podTemplate.env",
            variable.getName() + " is kept for the operator; use another name");
      }
    }
    boolean ownOptions =
        added.stream().anyMatch(variable -> "JDK_JAVA_OPTIONS".equals(variable.getName()));
    if (!ownOptions) {
      environment.add(
          new EnvVarBuilder().withName("JDK_JAVA_OPTIONS").withValue(JAVA_OPTIONS).build());
    }
    if (workload.maxConcurrent() != null) {
      environment.add(
          new EnvVarBuilder()
              .withName("RAGJOURNEY_MAX_JOURNEYS")
              .withValue(workload.maxConcurrent().toString())
              .build());
    }
    environment.addAll(added);
    return environment;
  }

  /** Room for the embedded model and index; declared resources replace all of it. */
  private static ResourceRequirements resources(Map<String, Object> declared)
      throws InvalidOverlayException {
    if (!declared.isEmpty()) {
      return Overlay.convert("spec.workload.resources", declared, ResourceRequirements.class);
    }
    return new ResourceRequirementsBuilder()
        .addToRequests("cpu", new Quantity("250m"))
        .addToRequests("memory", new Quantity("768Mi"))
        .addToLimits("memory", new Quantity("1Gi"))
        .build();
  }

  private static <T> List<T> joined(List<T> own, List<T> added) {
    List<T> all = new ArrayList<>(own);
    all.addAll(added);
    return all;
  }
}
