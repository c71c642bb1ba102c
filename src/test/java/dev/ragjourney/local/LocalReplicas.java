package dev.ragjourney.local;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The processes of one Deployment, rolled when its pod template changes: new ones first, old ones
 * when those serve.
 */
final class LocalReplicas implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration RESTART_AFTER = Duration.ofSeconds(2);

  private final KubernetesClient client;
  private final Path logs;
  private final Map<String, LocalPod> pods = new ConcurrentHashMap<>();
  private final Map<String, Boolean> ready = new ConcurrentHashMap<>();
  private final AtomicInteger number = new AtomicInteger();
  private final LocalService service;
  private String namespace = "";
  private Instant notBefore = Instant.EPOCH;

  LocalReplicas(KubernetesClient client, Path logs) {
    this.client = client;
    this.logs = logs;
    try {
      Files.createDirectories(logs);
      service = new LocalService(this::readyPorts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Integer> adminPorts() {
    return pods.values().stream().map(LocalPod::adminPort).toList();
  }

  private List<Integer> readyPorts() {
    return pods.values().stream()
        .filter(pod -> pod.alive() && ready.getOrDefault(pod.name(), false))
        .map(LocalPod::port)
        .toList();
  }

  void reconcile(Deployment deployment, Map<String, String> mounted) {
    namespace = deployment.getMetadata().getNamespace();
    PodTemplateSpec template = deployment.getSpec().getTemplate();
    String hash = Integer.toHexString(Serialization.asJson(template).hashCode());
    int replicas =
        deployment.getSpec().getReplicas() == null ? 1 : deployment.getSpec().getReplicas();
    pods.values().removeIf(pod -> gone(pod));
    List<LocalPod> current =
        pods.values().stream().filter(pod -> pod.templateHash().equals(hash)).toList();
    if (current.size() < replicas && Instant.now().isAfter(notBefore)) {
      start(deployment, hash, mounted);
    }
    current.stream().skip(replicas).forEach(this::stop);
    current.forEach(pod -> observe(deployment, pod));
    long serving = current.stream().filter(pod -> ready.getOrDefault(pod.name(), false)).count();
    if (serving >= replicas) {
      pods.values().stream()
          .filter(pod -> !pod.templateHash().equals(hash))
          .toList()
          .forEach(this::stop);
    }
    reportStatus(deployment, hash);
    reportEndpoint(deployment);
  }

  private boolean gone(LocalPod pod) {
    if (pod.alive()) {
      return false;
    }
    ready.remove(pod.name());
    client.pods().inNamespace(namespace).withName(pod.name()).delete();
    notBefore = Instant.now().plus(RESTART_AFTER);
    return true;
  }

  private void start(Deployment deployment, String hash, Map<String, String> mounted) {
    Map<String, String> environment = new HashMap<>();
    Container container = deployment.getSpec().getTemplate().getSpec().getContainers().get(0);
    container.getEnv().stream()
        .filter(
            variable -> variable.getValue() != null && variable.getName().startsWith("RAGJOURNEY_"))
        .forEach(variable -> environment.put(variable.getName(), variable.getValue()));
    environment.putAll(mounted);
    String name = deployment.getMetadata().getName() + "-" + hash + "-" + number.incrementAndGet();
    try {
      pods.put(name, LocalPod.start(name, hash, environment, logs));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void stop(LocalPod pod) {
    ready.remove(pod.name());
    pods.remove(pod.name());
    client.pods().inNamespace(namespace).withName(pod.name()).delete();
    Thread.ofVirtual().start(() -> pod.stop(GRACE));
  }

  /** Creates the Pod object, and keeps its readiness true to the process. */
  private void observe(Deployment deployment, LocalPod pod) {
    boolean serving = pod.ready();
    Boolean before = ready.put(pod.name(), serving);
    if (before != null && before == serving) {
      return;
    }
    PodTemplateSpec template = deployment.getSpec().getTemplate();
    Container container = template.getSpec().getContainers().get(0);
    List<ContainerPort> ports =
        container.getPorts().stream().map(port -> renumbered(port, pod)).toList();
    Map<String, String> annotations = new LinkedHashMap<>();
    Pod existing = client.pods().inNamespace(namespace).withName(pod.name()).get();
    if (existing == null) {
      if (template.getMetadata().getAnnotations() != null) {
        annotations.putAll(template.getMetadata().getAnnotations());
      }
      client
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName(pod.name())
                  .withNamespace(namespace)
                  .withLabels(template.getMetadata().getLabels())
                  .withAnnotations(annotations)
                  .addNewOwnerReference()
                  .withApiVersion("apps/v1")
                  .withKind("Deployment")
                  .withName(deployment.getMetadata().getName())
                  .withUid(deployment.getMetadata().getUid())
                  .withController(true)
                  .endOwnerReference()
                  .endMetadata()
                  .withNewSpec()
                  .addNewContainer()
                  .withName(container.getName())
                  .withImage(container.getImage())
                  .withPorts(ports)
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
    }
    client
        .pods()
        .inNamespace(namespace)
        .withName(pod.name())
        .editStatus(
            object ->
                new PodBuilder(object)
                    .withNewStatus()
                    .withPhase("Running")
                    .withPodIP("127.0.0.1")
                    .withConditions(
                        new PodConditionBuilder()
                            .withType("Ready")
                            .withStatus(serving ? "True" : "False")
                            .build())
                    .endStatus()
                    .build());
  }

  private static ContainerPort renumbered(ContainerPort port, LocalPod pod) {
    return new ContainerPortBuilder(port)
        .withContainerPort("admin".equals(port.getName()) ? pod.adminPort() : pod.port())
        .build();
  }

  private void reportStatus(Deployment deployment, String hash) {
    int all = pods.size();
    int updated = (int) pods.values().stream().filter(p -> p.templateHash().equals(hash)).count();
    int serving = readyPorts().size();
    var status = deployment.getStatus();
    Long generation = deployment.getMetadata().getGeneration();
    if (status != null
        && Objects.equals(status.getObservedGeneration(), generation)
        && Objects.equals(status.getReplicas(), all)
        && Objects.equals(status.getUpdatedReplicas(), updated)
        && Objects.equals(status.getReadyReplicas(), serving)) {
      return;
    }
    client
        .resource(deployment)
        .editStatus(
            object -> {
              object.setStatus(
                  new DeploymentStatusBuilder()
                      .withObservedGeneration(object.getMetadata().getGeneration())
                      .withReplicas(all)
                      .withUpdatedReplicas(updated)
                      .withReadyReplicas(serving)
                      .withAvailableReplicas(serving)
                      .build());
              return object;
            });
  }

  private void reportEndpoint(Deployment deployment) {
    var resource =
        client.services().inNamespace(namespace).withName(deployment.getMetadata().getName());
    Service object = resource.get();
    if (object == null) {
      return;
    }
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    if (annotations == null
        || !service.endpoint().equals(annotations.get("ragjourney.dev/endpoint"))) {
      resource.edit(
          current -> {
            Map<String, String> next = new HashMap<>();
            if (current.getMetadata().getAnnotations() != null) {
              next.putAll(current.getMetadata().getAnnotations());
            }
            next.put("ragjourney.dev/endpoint", service.endpoint());
            current.getMetadata().setAnnotations(next);
            return current;
          });
    }
  }

  @Override
  public void close() {
    pods.values().parallelStream().forEach(pod -> pod.stop(GRACE));
    pods.clear();
    try {
      service.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
