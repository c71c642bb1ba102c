package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** The operator and the pods of an earlier commit give way to those of this one. */
@DisplayName("An upgrade from an earlier operator, while a journey serves, loses no answer")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UpgradeClusterE2E {
  /** Made by {@code src/test/image/previous}. */
  private static final String PREVIOUS = "ragjourney:previous";

  private static final String NOW = "ragjourney:local";
  private static final String OPERATOR = "deployment/ragjourney-operator";

  private Cluster cluster;
  private ServedJourney served;
  private Journey journey;
  private int passed;

  @BeforeAll
  void start_the_earlier_operator() throws IOException {
    cluster = Cluster.connect();
    assertThat(cluster.images())
        .as("images of the node; src/test/image/previous makes what is missing")
        .contains(PREVIOUS);
    cluster.runOperator();
    operator("set", "image", OPERATOR, "operator=" + PREVIOUS);
    cluster.operatorVariables("RAGJOURNEY_IMAGE=" + PREVIOUS);
    served = ServedJourney.start(cluster, "upgrade");
    journey = served.journey();
  }

  @Test
  @Order(1)
  @DisplayName("1. a new operator leaves the pods of the earlier one alone")
  void a_new_operator_replaces_no_pod() throws Exception {
    List<String> pods = journey.starts();
    try (Background load = ask()) {
      long start = System.nanoTime();
      operator("set", "image", OPERATOR, "operator=" + NOW);
      cluster.awaitOperator();
      // It leads, and follows what is declared from now on.
      long generation =
          journey.patch(
              "[{\"op\": \"replace\", \"path\": \"/spec/stages/0/cap\", \"value\": \"444ms\"}]");
      try (RunningPlans plans = RunningPlans.of(journey)) {
        plans.awaitEverywhere(generation, Duration.ofSeconds(120));
        assertThat(plans.wentBack()).isEmpty();
      }
      journey.awaitCondition("Ready", "True", Duration.ofSeconds(60));
      journey.awaitCondition("PlanDelivered", "True", Duration.ofSeconds(60));
      report("A new operator took over", start, load);
    }
    assertThat(journey.starts()).as("pods, and how often they started").isEqualTo(pods);
    passed = 1;
  }

  @Test
  @Order(2)
  @DisplayName("2. a new default image replaces each pod once")
  void a_new_default_image_replaces_each_pod_once() throws Exception {
    assertThat(passed).as("the last step that passed").isEqualTo(1);
    List<String> pods = journey.starts();
    try (Background load = ask()) {
      long start = System.nanoTime();
      cluster.operatorVariables("RAGJOURNEY_IMAGE=" + NOW);
      await("every pod has the new image")
          .atMost(Duration.ofMinutes(4))
          .untilAsserted(
              () ->
                  assertThat(journey.pods())
                      .allMatch(
                          pod -> pod.getSpec().getContainers().getFirst().getImage().equals(NOW)));
      journey.awaitCondition("Ready", "True", Duration.ofMinutes(4));
      journey.awaitCondition("PlanDelivered", "True", Duration.ofSeconds(60));
      report("A new default image was rolled out", start, load);
    }
    assertThat(journey.starts()).hasSize(2).doesNotContainAnyElementsOf(pods);
    assertThat(replicaSets()).as("templates that pods were made of").isEqualTo(2);
  }

  private static void report(String what, long start, Background load) throws IOException {
    long took = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    LoadReport report = load.stop();
    Cluster.report(what + " within " + took + " s");
    Cluster.report(report.toString());
    assertThat(report.replies()).isNotEmpty().allMatch(Reply::answered);
  }

  private Background ask() {
    return served
        .client()
        .askUntilStopped("upgrade", served.address(), new Arrivals(50_000, 10, 81));
  }

  private int replicaSets() {
    return cluster
        .client()
        .apps()
        .replicaSets()
        .inNamespace(journey.namespace())
        .withLabel(Journey.LABEL, journey.name())
        .list()
        .getItems()
        .size();
  }

  private void operator(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("--namespace=" + Cluster.SYSTEM));
    all.addAll(List.of(arguments));
    cluster.kubectl(all.toArray(String[]::new));
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      operator("set", "image", OPERATOR, "operator=" + NOW);
      cluster.operatorVariables("RAGJOURNEY_IMAGE=" + NOW);
    }
    Cluster.closeAll(served, cluster);
  }
}
