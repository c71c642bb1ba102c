package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.e2e.PodNetwork.Answer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Who may reach the pods, asked from other pods while the node enforces NetworkPolicies. */
@DisplayName(
    "A NetworkPolicy lets in what a pod needs and nothing else, and one that is too narrow is told")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NetworkPolicyClusterE2E {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Path CALLERS_ONLY = Path.of("src/test/resources/e2e/callers-only.yaml");
  private static final String QUESTION =
      "{\"question\": \"How do I keep a package from being upgraded?\"}";

  private Cluster cluster;
  private ServedJourney served;
  private Journey journey;

  /** In the journey's namespace, and in another one. */
  private List<PodNetwork> callers;

  private List<String> starts;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    cluster.runOperator();
    served = ServedJourney.start(cluster, "closed");
    journey = served.journey();
    callers =
        List.of(
            PodNetwork.of(cluster, pod(journey.namespace(), "app", "scripted")),
            PodNetwork.of(cluster, pod(Cluster.SYSTEM, "app.kubernetes.io/name", "ragjourney")));
    starts = journey.starts();
  }

  @Test
  @Order(1)
  @DisplayName("1. callers are served, backends reached, metrics and plans read; the rest is shut")
  void a_managed_policy_lets_in_what_a_pod_needs_and_nothing_else() throws Exception {
    long searched = served.scripted().requests("/closed/http/search");
    for (PodNetwork caller : callers) {
      assertServed(caller);
      for (Pod pod : journey.pods()) {
        assertThat(caller.get(Journey.address(pod, "admin").resolve("/metrics")).body())
            .contains("rag_journey_answers_total");
        assertThat(caller.get(Journey.address(pod, "admin").resolve("/plan")).body())
            .contains("\"revision\"");
      }
    }
    assertThat(besides()).as("a port that nobody needs").containsOnly(0);
    assertThat(served.scripted().requests("/closed/http/search")).isGreaterThan(searched);
    assertThat(journey.condition("PlanDelivered").status()).isEqualTo("True");
  }

  @Test
  @Order(2)
  @DisplayName("2. without the policy the same port answers: it was the policy that shut it")
  void without_a_policy_every_port_answers() {
    setPolicy("None");
    awaitBeside(200);
    setPolicy("Managed");
    awaitBeside(0);
    setPolicy("None");
    awaitBeside(200);
    assertThat(journey.starts()).as("pods, and how often they started").isEqualTo(starts);
  }

  @Test
  @Order(3)
  @DisplayName(
      "3. behind a policy that shuts the operator out: PlanDelivered Unknown, callers served")
  void a_policy_that_shuts_the_operator_out_is_told_and_harms_nobody() throws Exception {
    cluster.apply(CALLERS_ONLY, journey.namespace());
    awaitBeside(0);
    long start = System.nanoTime();
    long generation = changeCap(401);
    journey.awaitCondition("PlanDelivered", "Unknown", SOON);
    Condition told = journey.condition("PlanDelivered");
    Cluster.report(
        "Shut out after %d ms: %s"
            .formatted((System.nanoTime() - start) / 1_000_000, told.message()));
    assertThat(told.reason()).isEqualTo("PodsUnreachable");
    assertThat(told.message()).contains("0 of 2 pods run revision").contains("no answer from");
    assertThat(journey.pods())
        .allSatisfy(pod -> assertThat(told.message()).contains(pod.getMetadata().getName()));
    for (PodNetwork caller : callers) {
      for (int question = 0; question < 5; question++) {
        assertServed(caller);
      }
    }
    assertThat(journey.condition("Ready").status()).isEqualTo("True");
    // The plan comes by the kubelet's way, which no policy shuts.
    try (RunningPlans plans = RunningPlans.of(journey)) {
      plans.awaitEverywhere(generation, Duration.ofSeconds(90));
    }

    cluster.kubectl(
        "delete", "networkpolicy", "callers-only", "--namespace=" + journey.namespace());
    awaitBeside(200);
    changeCap(402);
    journey.awaitCondition("PlanDelivered", "True", SOON);
    assertThat(journey.delivered()).isEqualTo("2/2");
    assertThat(journey.starts()).as("pods, and how often they started").isEqualTo(starts);
  }

  private void assertServed(PodNetwork caller) {
    Answer answer = caller.post(journey.service().resolve("/v1/ask"), QUESTION);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).contains("\"degraded\":false");
  }

  private void setPolicy(String value) {
    journey.patch(
        "[{\"op\": \"replace\", \"path\": \"/spec/workload/networkPolicy\", \"value\": \"%s\"}]"
            .formatted(value));
  }

  private long changeCap(int millis) {
    return journey.patch(
        "[{\"op\": \"replace\", \"path\": \"/spec/stages/0/cap\", \"value\": \"%dms\"}]"
            .formatted(millis));
  }

  private void awaitBeside(int status) {
    await("the port beside answers " + status)
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(besides()).containsOnly(status));
  }

  /** The statuses from both places on both pods, asked at once: 0 for silence. */
  private List<Integer> besides() {
    List<Pod> pods = journey.pods();
    return callers.parallelStream()
        .flatMap(caller -> pods.parallelStream().map(pod -> caller.get(beside(pod)).status()))
        .toList();
  }

  private static URI beside(Pod pod) {
    return Journey.address(pod, "beside").resolve("/healthz");
  }

  private Pod pod(String namespace, String label, String value) {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withLabel(label, value)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .findFirst()
        .orElseThrow();
  }

  @AfterAll
  void stop() {
    Cluster.closeAll(served, cluster);
  }
}
