package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Who else may take and add pods: a drain of the node, and an autoscaler. */
@DisplayName("A drain takes one pod at a time, and an autoscaler's number of pods is left alone")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AvailabilityClusterE2E {
  private static final Duration A_START = Duration.ofMinutes(3);

  private Cluster cluster;
  private KubernetesClient impatient;
  private ServedJourney served;
  private Journey journey;
  private Background load;
  private int passed;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    impatient = cluster.impatientClient();
    cluster.runOperator();
    served = ServedJourney.start(cluster, "availability");
    journey = served.journey();
  }

  @BeforeEach
  void serve() {
    load =
        served
            .client()
            .askUntilStopped("availability", served.address(), new Arrivals(50_000, 10, 91));
  }

  @Test
  @Order(1)
  @DisplayName("1. the second eviction is refused until there are two ready pods again")
  void an_eviction_is_refused_while_a_pod_is_missing() {
    List<Pod> pods = journey.pods();
    assertThat(evict(pods.get(0))).as("the first eviction").isTrue();
    assertThat(evict(pods.get(1))).as("the second eviction, at once").isFalse();

    await("the second pod may go when the first is replaced")
        .atMost(A_START)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> evict(pods.get(1)));
    assertThat(readyPodsBut(pods.get(1))).as("ready when the second went").isPositive();
    awaitReady(2);
    passed = 1;
  }

  @Test
  @Order(2)
  @DisplayName(
      "2. the number of pods goes to an autoscaler, which scales by CPU, and comes back; no pod starts anew")
  void the_number_of_pods_is_handed_over_both_ways() throws IOException {
    assertThat(passed).as("the last step that passed").isEqualTo(1);
    List<String> pods = journey.starts();
    // Far more than the pods come to: nothing to scale for yet.
    journey.patch(
        """
        [{"op": "remove", "path": "/spec/workload/replicas"},
         {"op": "add", "path": "/spec/workload/autoscaling",
          "value": {"minReplicas": 2, "maxReplicas": 3, "targetCPU": "2000%"}}]
        """);
    journey.awaitObserved(Duration.ofSeconds(60));
    await("the autoscaler knows the pods' CPU")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> usedCpu() > 0);
    assertThat(replicas()).isEqualTo(2);
    assertThat(journey.starts()).as("handed over").isEqualTo(pods);

    int used = usedCpu();
    int target = Math.max(1, used / 4);
    long start = System.nanoTime();
    journey.patch(
        "[{\"op\": \"replace\", \"path\": \"/spec/workload/autoscaling/targetCPU\", \"value\": \"%d%%\"}]"
            .formatted(target));
    awaitReady(3);
    Cluster.report(
        "%d%% of the CPU asked for, %d%% wanted: the autoscaler's third pod is ready after %d ms"
            .formatted(used, target, (System.nanoTime() - start) / 1_000_000));
    assertThat(autoscaler().getStatus().getLastScaleTime()).as("it scaled").isNotNull();
    changeCap(500);
    assertThat(replicas()).as("after the operator was at work").isEqualTo(3);
    assertThat(journey.starts()).as("scaled up").containsAll(pods);

    pods = journey.starts();
    journey.patch(
        """
        [{"op": "remove", "path": "/spec/workload/autoscaling"},
         {"op": "add", "path": "/spec/workload/replicas", "value": 3}]
        """);
    journey.awaitObserved(Duration.ofSeconds(60));
    await("the autoscaler is gone").until(() -> autoscaler() == null);
    assertThat(replicas()).isEqualTo(3);
    assertThat(journey.starts()).as("handed back").isEqualTo(pods);
  }

  @AfterEach
  void no_answer_is_lost() throws IOException {
    LoadReport report = load.stop();
    assertThat(report.replies()).isNotEmpty().allMatch(Reply::answered);
    Cluster.report(report.toString());
  }

  private boolean evict(Pod pod) {
    return impatient
        .pods()
        .inNamespace(journey.namespace())
        .withName(pod.getMetadata().getName())
        .evict();
  }

  private long readyPodsBut(Pod gone) {
    return journey.pods().stream()
        .filter(pod -> !pod.getMetadata().getUid().equals(gone.getMetadata().getUid()))
        .filter(AvailabilityClusterE2E::ready)
        .count();
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(each -> "Ready".equals(each.getType()) && "True".equals(each.getStatus()));
  }

  private void awaitReady(int pods) {
    await(pods + " pods are ready")
        .atMost(A_START)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              assertThat(journey.pods()).hasSize(pods).allMatch(AvailabilityClusterE2E::ready);
              assertThat(journey.delivered()).isEqualTo(pods + "/" + pods);
            });
  }

  private void changeCap(int millis) {
    journey.patch(
        "[{\"op\": \"replace\", \"path\": \"/spec/stages/0/cap\", \"value\": \"%dms\"}]"
            .formatted(millis));
    journey.awaitObserved(Duration.ofSeconds(60));
    await("the cap is in force")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(journey.cap("search")).isEqualTo(Duration.ofMillis(millis)));
  }

  private int replicas() {
    return cluster
        .client()
        .apps()
        .deployments()
        .inNamespace(journey.namespace())
        .withName(journey.name())
        .get()
        .getSpec()
        .getReplicas();
  }

  /** What the autoscaler has measured, percent of what the pods ask for; 0 for nothing yet. */
  private int usedCpu() {
    HorizontalPodAutoscaler autoscaler = autoscaler();
    if (autoscaler == null || autoscaler.getStatus() == null) {
      return 0;
    }
    return autoscaler.getStatus().getCurrentMetrics().stream()
        .filter(metric -> "ContainerResource".equals(metric.getType()))
        .map(metric -> metric.getContainerResource().getCurrent().getAverageUtilization())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(0);
  }

  private HorizontalPodAutoscaler autoscaler() {
    return cluster
        .client()
        .autoscaling()
        .v2()
        .horizontalPodAutoscalers()
        .inNamespace(journey.namespace())
        .withName(journey.name())
        .get();
  }

  @AfterAll
  void stop() {
    Cluster.closeAll(served, impatient, cluster);
  }
}
