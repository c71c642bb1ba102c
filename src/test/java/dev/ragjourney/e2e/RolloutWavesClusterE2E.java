package dev.ragjourney.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.e2e.OpenLoopClient.Background;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
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

/** Operators that bring another default image to three journeys, one journey at a time. */
@DisplayName("A new default image goes from journey to journey, and stops where it fails")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RolloutWavesClusterE2E {
  private static final String NAMESPACE = "waves";
  private static final String NOW = "ragjourney:local";
  private static final String NEXT = "ragjourney:again";

  /** No registry has it. */
  private static final String NOWHERE = "ragjourney.invalid/nowhere:1";

  private Cluster cluster;
  private ScriptedPod scripted;
  private OpenLoopClient client;
  private List<Journey> journeys = List.of();
  private int passed;

  @BeforeAll
  void start_three_journeys() throws IOException {
    cluster = Cluster.connect();
    client = new OpenLoopClient();
    cluster.alsoKnownAs(NOW, NEXT);
    cluster.runOperator();
    bring(NOW, "1");
    cluster.freshNamespace(NAMESPACE);
    scripted = ScriptedPod.start(cluster, NAMESPACE);
    cluster.apply(Path.of("src/test/resources/e2e/waves.yaml"), NAMESPACE);
    journeys =
        List.of("first", "second", "third").stream()
            .map(name -> new Journey(cluster, NAMESPACE, name))
            .toList();
    for (Journey journey : journeys) {
      journey.awaitCondition("Ready", "True", Duration.ofSeconds(240));
      journey.awaitCondition("PlanDelivered", "True", Duration.ofSeconds(60));
    }
  }

  @Test
  @Order(1)
  @DisplayName("1. an image that cannot be pulled stops at one journey; all go on answering")
  void an_image_that_fails_stops_at_one_journey() throws Exception {
    List<String> before = starts();
    try (Background load = ask()) {
      long start = System.nanoTime();
      bring(NOWHERE, "1");
      await("two journeys are told that the third failed")
          .atMost(Duration.ofSeconds(180))
          .untilAsserted(() -> assertThat(reasons()).containsOnlyOnce("PodsNotReady").hasSize(3));
      await("the others wait")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(held()).filteredOn("RolloutStopped"::equals).hasSize(2));
      Cluster.report(
          "An image that cannot be pulled stopped the rollout after %d ms: %s"
              .formatted(millisSince(start), message("RolloutStopped")));
      assertThat(podsOf(NOWHERE)).as("pods with that image").hasSize(1);
      assertThat(starts()).as("pods from before").containsAll(before);
      report(load);
    }
    passed = 1;
  }

  @Test
  @Order(2)
  @DisplayName("2. the next image is taken by one journey after the other, and no answer is lost")
  void the_next_image_is_taken_by_one_after_the_other() throws Exception {
    assertThat(passed).as("the last step that passed").isEqualTo(1);
    List<Integer> rolling = new ArrayList<>();
    try (Background load = ask()) {
      long start = System.nanoTime();
      bring(NEXT, "1");
      await("every journey has the image")
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                rolling.add(unsettled());
                return settled() == journeys.size();
              });
      Cluster.report(
          "Three journeys took an image one by one within %d ms".formatted(millisSince(start)));
      report(load);
    }
    assertThat(rolling).as("journeys that rolled at one time").contains(1).allMatch(n -> n <= 1);
    for (Journey journey : journeys) {
      journey.awaitCondition("Ready", "True", Duration.ofSeconds(60));
    }
    assertThat(podsOf(NOWHERE)).isEmpty();
  }

  private void bring(String image, String atOnce) throws IOException {
    cluster.operatorVariables("RAGJOURNEY_IMAGE=" + image, "RAGJOURNEY_ROLL_AT_ONCE=" + atOnce);
  }

  private List<String> reasons() {
    return journeys.stream().map(each -> each.condition("Ready").reason()).toList();
  }

  private List<String> held() {
    return journeys.stream().map(each -> each.condition("Reconciling").reason()).toList();
  }

  private String message(String reason) {
    return journeys.stream()
        .map(each -> each.condition("Reconciling"))
        .filter(each -> reason.equals(each.reason()))
        .findFirst()
        .orElseThrow()
        .message();
  }

  /** Journeys that have begun to take the next image and have not finished. */
  private int unsettled() {
    return (int)
        journeys.stream()
            .filter(each -> images(each).contains(NEXT) && !images(each).equals(List.of(NEXT)))
            .count();
  }

  private long settled() {
    return journeys.stream()
        .filter(each -> images(each).equals(List.of(NEXT)))
        .filter(each -> each.condition("Ready").status().equals("True"))
        .count();
  }

  private static List<String> images(Journey journey) {
    return journey.pods().stream().map(RolloutWavesClusterE2E::image).toList();
  }

  private List<Pod> podsOf(String image) {
    return journeys.stream()
        .flatMap(each -> each.pods().stream())
        .filter(pod -> image(pod).equals(image))
        .toList();
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().getFirst().getImage();
  }

  private List<String> starts() {
    return journeys.stream()
        .flatMap(each -> each.pods().stream())
        .filter(pod -> !image(pod).equals(NOWHERE))
        .map(pod -> pod.getMetadata().getUid())
        .toList();
  }

  private Background ask() {
    List<URI> addresses = journeys.stream().map(Journey::service).toList();
    return client.askUntilStopped("waves", addresses, new Arrivals(50_000, 6, 91));
  }

  private static void report(Background load) throws IOException {
    LoadReport report = load.stop();
    Cluster.report(report.toString());
    assertThat(report.replies()).isNotEmpty().allMatch(Reply::answered);
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.show("waves-status.yaml", "get", "rj", "-n", NAMESPACE, "-o", "yaml");
      cluster.keepLogs(Cluster.SYSTEM);
      cluster.kubectl("delete", "rj,deployment,service", "--all", "--namespace=" + NAMESPACE);
      bring(NOW, "5");
    }
    Cluster.closeAll(scripted, client, cluster);
  }
}
