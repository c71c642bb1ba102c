package dev.ragjourney.local;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does for the pipeline's Deployments, on one machine: runs their pods as processes,
 * mounts ConfigMaps and Secrets, reports readiness, and gives each Service an address. Level-based:
 * every pass compares what is there with what should be.
 */
final class LocalNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);
  private static final Duration PASS = Duration.ofMillis(500);
  private static final Map<String, String> DIRECTORIES =
      Map.of(
          "/etc/ragjourney/plan", "RAGJOURNEY_PLAN_DIR",
          "/var/lib/ragjourney/documents", "RAGJOURNEY_DOCUMENTS_DIR",
          "/etc/ragjourney/secrets", "RAGJOURNEY_SECRETS_DIR");

  private final KubernetesClient client;
  private final Path directory;
  private final Map<String, LocalReplicas> workloads = new ConcurrentHashMap<>();
  private final Map<String, ConfigVolume> volumes = new ConcurrentHashMap<>();
  private final Thread loop;
  private volatile boolean closed;

  LocalNode(KubernetesClient client, Path directory) {
    this.client = client;
    this.directory = directory;
    loop = Thread.ofPlatform().name("local-node").start(this::run);
  }

  /** Admin ports of the pods that run, for whoever scrapes them. */
  List<Integer> adminPorts() {
    return workloads.values().stream().flatMap(workload -> workload.adminPorts().stream()).toList();
  }

  private void run() {
    while (!closed) {
      try {
        pass();
      } catch (KubernetesClientException | UncheckedIOException e) {
        LOG.warn("node pass failed, next one in {} ms: {}", PASS.toMillis(), e.getMessage());
      }
      try {
        Thread.sleep(PASS); // the behaviour under test: a node works in passes
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void pass() {
    List<Deployment> deployments =
        client
            .apps()
            .deployments()
            .inAnyNamespace()
            .withLabel("app.kubernetes.io/managed-by", "ragjourney")
            .list()
            .getItems();
    Map<String, Deployment> wanted = new TreeMap<>();
    for (Deployment deployment : deployments) {
      wanted.put(key(deployment), deployment);
    }
    for (Map.Entry<String, LocalReplicas> running : workloads.entrySet()) {
      if (!wanted.containsKey(running.getKey())) {
        running.getValue().close();
        workloads.remove(running.getKey());
      }
    }
    for (Map.Entry<String, Deployment> entry : wanted.entrySet()) {
      Deployment deployment = entry.getValue();
      Map<String, String> environment = mount(deployment);
      workloads
          .computeIfAbsent(
              entry.getKey(), key -> new LocalReplicas(client, directory.resolve("logs")))
          .reconcile(deployment, environment);
    }
  }

  /** Lays out the volumes of the pod template and tells the pods' environment where they are. */
  private Map<String, String> mount(Deployment deployment) {
    String namespace = deployment.getMetadata().getNamespace();
    var spec = deployment.getSpec().getTemplate().getSpec();
    Map<String, Volume> byName = new HashMap<>();
    spec.getVolumes().forEach(volume -> byName.put(volume.getName(), volume));
    Map<String, String> environment = new HashMap<>();
    Path root =
        directory.resolve("volumes").resolve(namespace + "-" + deployment.getMetadata().getName());
    for (var mounted : spec.getContainers().get(0).getVolumeMounts()) {
      Volume volume = byName.get(mounted.getName());
      if (volume == null || (volume.getConfigMap() == null && volume.getSecret() == null)) {
        continue;
      }
      String source =
          volume.getConfigMap() != null
              ? volume.getConfigMap().getName()
              : volume.getSecret().getSecretName();
      Path place = root.resolve(mounted.getMountPath().substring(1)).resolve(source);
      ConfigVolume files = volumes.computeIfAbsent(place.toString(), p -> new ConfigVolume(place));
      files.write(content(namespace, volume));
      for (Map.Entry<String, String> known : DIRECTORIES.entrySet()) {
        if (mounted.getMountPath().equals(known.getKey())) {
          environment.put(known.getValue(), files.directory().toString());
        } else if (mounted.getMountPath().startsWith(known.getKey() + "/")) {
          environment.put(known.getValue(), root.resolve(known.getKey().substring(1)).toString());
        }
      }
    }
    return environment;
  }

  private Map<String, byte[]> content(String namespace, Volume volume) {
    Map<String, byte[]> files = new HashMap<>();
    if (volume.getConfigMap() != null) {
      ConfigMap map =
          client
              .configMaps()
              .inNamespace(namespace)
              .withName(volume.getConfigMap().getName())
              .get();
      if (map != null && map.getData() != null) {
        map.getData()
            .forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
      }
      if (map != null && map.getBinaryData() != null) {
        map.getBinaryData().forEach((name, data) -> files.put(name, decoded(data)));
      }
    } else {
      Secret secret =
          client
              .secrets()
              .inNamespace(namespace)
              .withName(volume.getSecret().getSecretName())
              .get();
      if (secret != null && secret.getData() != null) {
        secret.getData().forEach((name, data) -> files.put(name, decoded(data)));
      }
    }
    return files;
  }

  private static byte[] decoded(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static String key(Deployment deployment) {
    return deployment.getMetadata().getNamespace() + "/" + deployment.getMetadata().getName();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    loop.interrupt();
    workloads.values().parallelStream().forEach(LocalReplicas::close);
  }
}
