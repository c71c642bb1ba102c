package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.support.kubernetes.ReadyPods;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What only a real API server's idea of lists shows: it tells ports apart by their numbers. */
@DisplayName("Ports that somebody renumbers are put right, and ports that somebody adds are kept")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DriftApiServerIT {
  private static final String NAMESPACE = "drift-shop";
  private static final String JOURNEY = "faq-0";
  private static final Duration SECONDS = Duration.ofSeconds(20);

  private Cluster cluster;
  private OperatorProcess operator;
  private ReadyPods pods;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    OperatorAccount account = OperatorAccount.install(cluster, "drift");
    Shop shop = Shop.open(cluster, NAMESPACE, 1);
    operator = OperatorProcess.start(account, "drift-0", Map.of());
    pods = new ReadyPods(cluster.client(), NAMESPACE);
    shop.awaitAll();
  }

  @Test
  void the_port_of_a_service() throws IOException {
    List<String> before = servicePorts();
    patch(
        "service",
        "[{'op': 'add', 'path': '/spec/ports/-', 'value': {'name': 'mesh', 'port': 15090}}]");
    patch("service", "[{'op': 'replace', 'path': '/spec/ports/0/port', 'value': 8888}]");
    assertThat(servicePorts()).contains("mesh 15090").isNotEqualTo(before);
    awaitPutRight(
        () ->
            assertThat(servicePorts())
                .contains("mesh 15090")
                .containsAll(before)
                .hasSize(before.size() + 1));
  }

  @Test
  void the_port_of_a_container() throws IOException {
    List<String> before = containerPorts();
    patch(
        "deployment",
        "[{'op': 'replace', 'path': '/spec/template/spec/containers/0/ports/0/containerPort', 'value': 9999}]");
    awaitPutRight(() -> assertThat(containerPorts()).containsExactlyInAnyOrderElementsOf(before));
  }

  private void awaitPutRight(ThrowingRunnable holds) {
    await("it is put right").atMost(SECONDS).untilAsserted(holds);
    assertThat(new Journey(cluster, NAMESPACE, JOURNEY).condition("Stalled").status())
        .isEqualTo("False");
  }

  private List<String> servicePorts() {
    return cluster
        .client()
        .services()
        .inNamespace(NAMESPACE)
        .withName(JOURNEY)
        .get()
        .getSpec()
        .getPorts()
        .stream()
        .map((ServicePort port) -> port.getName() + " " + port.getPort())
        .toList();
  }

  private List<String> containerPorts() {
    return cluster
        .client()
        .apps()
        .deployments()
        .inNamespace(NAMESPACE)
        .withName(JOURNEY)
        .get()
        .getSpec()
        .getTemplate()
        .getSpec()
        .getContainers()
        .getFirst()
        .getPorts()
        .stream()
        .map((ContainerPort port) -> port.getName() + " " + port.getContainerPort())
        .toList();
  }

  private void patch(String kind, String json) throws IOException {
    cluster.kubectl(
        "--namespace=" + NAMESPACE,
        "patch",
        kind,
        JOURNEY,
        "--type=json",
        "--patch=" + json.replace('\'', '"'));
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=false", "--ignore-not-found");
    }
    Cluster.closeAll(operator, pods, cluster);
  }
}
