package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.e2e.OpenLoopClient.Background;
import io.fabric8.kubernetes.api.model.Pod;
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

/** Caps of three pods change while they serve. */
@DisplayName("Caps change under load: every pod follows in seconds, and no answer is lost")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HotCapsClusterE2E {
  /** Questions a second. */
  private static final int RATE = Integer.getInteger("ragjourney.hot.rate", 25);

  /** Questions, at half the rate, until pods and client run compiled code. */
  private static final int WARM_UP = Integer.getInteger("ragjourney.hot.warmup", 8 * RATE);

  private static final int CHANGES = Integer.getInteger("ragjourney.hot.changes", 10);
  private static final Duration PROMISED = Duration.ofSeconds(5);

  private Cluster cluster;
  private ServedJourney served;
  private Journey journey;
  private int cap = 400;

  @BeforeAll
  void start() throws IOException {
    cluster = Cluster.connect();
    cluster.runOperator();
    served = ServedJourney.start(cluster, "hot");
    journey = served.journey();
  }

  @Test
  @Order(1)
  @DisplayName("1. a change of caps is on every pod within 5 s, revisions rise, none is lost")
  void a_change_of_caps_is_everywhere_soon_and_no_answer_is_lost() throws Exception {
    List<String> pods = journey.starts();
    List<Long> everywhere = new ArrayList<>();
    List<Long> told = new ArrayList<>();
    LoadReport report;
    warmUp();
    try (RunningPlans plans = RunningPlans.of(journey);
        Background load = ask()) {
      for (int change = 0; change < CHANGES; change++) {
        long start = System.nanoTime();
        long generation = changeCap();
        everywhere.add(millis(plans.awaitEverywhere(generation, Duration.ofSeconds(90)) - start));
        awaitDelivered(generation, "3/3");
        told.add(millis(System.nanoTime() - start));
      }
      report = load.stop();
      assertThat(plans.wentBack()).isEmpty();
    }
    Cluster.report(
        "Caps changed %d times at %d questions/s: on all pods after %d ms (p50), %d ms (p95); told by status after %d ms, %d ms"
            .formatted(
                CHANGES,
                RATE,
                Percentile.of(everywhere, 0.5),
                Percentile.of(everywhere, 0.95),
                Percentile.of(told, 0.5),
                Percentile.of(told, 0.95)));
    Cluster.report(report.toString());
    assertThat(report.replies()).isNotEmpty().allMatch(Reply::answered);
    assertThat(Percentile.of(everywhere, 0.95))
        .as("p95 of %s ms", everywhere)
        .isLessThanOrEqualTo(PROMISED.toMillis());
    assertThat(journey.starts()).as("pods, and how often they started").isEqualTo(pods);
  }

  @Test
  @Order(2)
  @DisplayName("2. a frozen pod is seen: PlanDelivered is False until it goes on and has caught up")
  void a_frozen_pod_shows_as_a_plan_that_is_not_delivered() throws Exception {
    List<String> pods = journey.starts();
    List<Pod> all = journey.pods();
    List<String> others =
        all.stream().skip(1).map(pod -> pod.getMetadata().getName()).sorted().toList();
    try (RunningPlans plans = RunningPlans.of(journey)) {
      long generation;
      try (var _ = PodProcess.of(cluster, all.getFirst()).freeze()) {
        long start = System.nanoTime();
        generation = changeCap();
        plans.awaitOn(others, generation, Duration.ofSeconds(90));
        awaitDelivered(generation, "2/3");
        journey.awaitCondition("PlanDelivered", "False", Duration.ofSeconds(60));
        Condition condition = journey.condition("PlanDelivered");
        Cluster.report(
            "A frozen pod is told after %d ms: %s"
                .formatted(millis(System.nanoTime() - start), condition.message()));
        assertThat(condition.reason()).isEqualTo("Waiting");
        assertThat(condition.message())
            .contains("2 of 3 pods")
            .contains(all.getFirst().getMetadata().getName());
      }
      long start = System.nanoTime();
      plans.awaitEverywhere(generation, Duration.ofSeconds(90));
      journey.awaitCondition("PlanDelivered", "True", Duration.ofSeconds(60));
      Cluster.report(
          "The frozen pod has caught up, and status says so, %d ms after it went on"
              .formatted(millis(System.nanoTime() - start)));
      assertThat(plans.wentBack()).isEmpty();
    }
    assertThat(journey.starts()).as("pods, and how often they started").isEqualTo(pods);
  }

  /** Pods that have just started run their code interpreted, and fall behind any steady pace. */
  private void warmUp() throws IOException {
    LoadReport load =
        served
            .client()
            .ask(
                "before caps change",
                served.address(),
                new Arrivals(WARM_UP, RATE / 2, 60),
                () -> false);
    Cluster.report(load.toString());
  }

  private Background ask() {
    return served
        .client()
        .askUntilStopped("while caps change", served.address(), new Arrivals(200_000, RATE, 61));
  }

  /** Another number each time: the generation. */
  private long changeCap() {
    cap++;
    return journey.patch(
        "[{\"op\": \"replace\", \"path\": \"/spec/stages/0/cap\", \"value\": \"" + cap + "ms\"}]");
  }

  private void awaitDelivered(long generation, String summary) {
    await("status tells " + summary)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              assertThat(journey.status().observedGeneration()).isEqualTo(generation);
              assertThat(journey.cap("search")).isEqualTo(Duration.ofMillis(cap));
              assertThat(journey.delivered()).isEqualTo(summary);
            });
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  @AfterAll
  void stop() throws IOException {
    Cluster.closeAll(served, cluster);
  }
}
