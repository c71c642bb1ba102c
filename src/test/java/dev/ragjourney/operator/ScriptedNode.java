package dev.ragjourney.operator;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.ragjourney.operator.desired.DesiredState;
import dev.ragjourney.operator.observe.Labels;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.PlanCodec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.awaitility.core.ThrowingRunnable;

/**
 * Plays the Deployment controller and the kubelet: pods appear when told, and answer {@code /plan}
 * with what their ConfigMap held when their annotation last changed.
 */
final class ScriptedNode implements AutoCloseable {
  private final KubernetesClient client;
  private final HttpServer http;
  private final Map<String, Long> running = new ConcurrentHashMap<>();
  private volatile String notReady = "";
  private volatile boolean answering = true;

  ScriptedNode(KubernetesClient client) {
    this.client = client;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext(
        "/plan",
        exchange -> {
          try (exchange) {
            byte[] body = plan().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answering ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    http.createContext(
        "/readyz",
        exchange -> {
          try (exchange) {
            String reasons = notReady.isEmpty() ? "" : "\"" + notReady + "\"";
            byte[] body =
                "{\"ready\":%s,\"reasons\":[%s]}"
                    .formatted(notReady.isEmpty(), reasons)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(notReady.isEmpty() ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    http.start();
  }

  /** What the pods say they wait for; empty for nothing. */
  void waitFor(String what) {
    notReady = what;
  }

  void answer(boolean yes) {
    answering = yes;
  }

  /** Rolls the Deployment out: pods of its template, status as the controller writes it. */
  void rollOut(String name) {
    Deployment deployment = deployment(name);
    client.pods().inNamespace("default").withLabel(Labels.JOURNEY, name).delete();
    int replicas = deployment.getSpec().getReplicas();
    for (int i = 0; i < replicas; i++) {
      createPod(deployment, name + "-" + deployment.getMetadata().getGeneration() + "-" + i);
    }
    running.put(name, currentRevision(name));
    report(name, notReady.isEmpty() ? replicas : 0);
  }

  /** The same where something is left to be rolled out. */
  void catchUp(String name) {
    Deployment deployment = deployment(name);
    if (deployment != null && !DesiredState.rolledOut(deployment)) {
      rollOut(name);
    }
  }

  /** A pod of the newest template starts and crashes; the others stay. */
  void crash(String name) {
    Deployment deployment = deployment(name);
    String pod = name + "-crash";
    createPod(deployment, pod);
    unlessChangedMeanwhile(
        () ->
            client
                .pods()
                .inNamespace("default")
                .withName(pod)
                .editStatus(
                    p ->
                        new PodBuilder(p)
                            .editStatus()
                            .withConditions()
                            .addNewContainerStatus()
                            .withName("pipeline")
                            .withReady(false)
                            .withRestartCount(2)
                            .withNewState()
                            .withNewWaiting()
                            .withReason("CrashLoopBackOff")
                            .endWaiting()
                            .endState()
                            .endContainerStatus()
                            .endStatus()
                            .build()));
  }

  /** As controllers do: a conflict with another writer is tried again on what is there then. */
  private static void unlessChangedMeanwhile(ThrowingRunnable edit) {
    await().atMost(Duration.ofSeconds(10)).untilAsserted(edit);
  }

  /** What a kubelet does when an annotation changes or a minute has passed. */
  void refreshMounts(String name) {
    running.put(name, currentRevision(name));
  }

  void report(String name, int ready) {
    unlessChangedMeanwhile(
        () ->
            client
                .apps()
                .deployments()
                .inNamespace("default")
                .withName(name)
                .editStatus(
                    d ->
                        new DeploymentBuilder(d)
                            .withNewStatus()
                            .withObservedGeneration(d.getMetadata().getGeneration())
                            .withReplicas(d.getSpec().getReplicas())
                            .withUpdatedReplicas(d.getSpec().getReplicas())
                            .withReadyReplicas(ready)
                            .withAvailableReplicas(ready)
                            .endStatus()
                            .build()));
  }

  Deployment deployment(String name) {
    return client.apps().deployments().inNamespace("default").withName(name).get();
  }

  long currentRevision(String name) {
    return plan(name).revision();
  }

  /** The plan that the Deployment's template mounts. */
  Plan plan(String name) {
    String map =
        deployment(name).getSpec().getTemplate().getSpec().getVolumes().stream()
            .filter(volume -> volume.getName().equals("plan"))
            .map(Volume::getConfigMap)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow()
            .getName();
    ConfigMap found = client.configMaps().inNamespace("default").withName(map).get();
    try {
      return PlanCodec.read(found.getData().get(Plan.FILE));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void createPod(Deployment deployment, String name) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace("default")
            .withLabels(deployment.getSpec().getTemplate().getMetadata().getLabels())
            .withAnnotations(deployment.getSpec().getTemplate().getMetadata().getAnnotations())
            .endMetadata()
            .withSpec(deployment.getSpec().getTemplate().getSpec())
            .build();
    pod.getSpec()
        .getContainers()
        .getFirst()
        .getPorts()
        .forEach(port -> port.setContainerPort(http.getAddress().getPort()));
    client.resource(pod).create();
    client
        .pods()
        .inNamespace("default")
        .withName(name)
        .editStatus(
            p ->
                new PodBuilder(p)
                    .withNewStatus()
                    .withPhase("Running")
                    .withPodIP("127.0.0.1")
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus(notReady.isEmpty() ? "True" : "False")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  private String plan() {
    if (running.isEmpty()) {
      return "{}";
    }
    var only = running.entrySet().iterator().next();
    return "{\"namespace\":\"default\",\"journey\":\"%s\",\"revision\":%d}"
        .formatted(only.getKey(), only.getValue());
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
