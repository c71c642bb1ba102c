package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A journey ends when nobody waits for it any more, or when the pod cannot. */
@Timeout(60)
class CallerGoneIT {
  @TempDir Path directory;

  private final WaitingJourneys journeys = new WaitingJourneys();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private TestPod pod(Plan plan, int maxJourneys) throws Exception {
    return new TestPod(directory, new FakeBackends(), metrics -> journeys, maxJourneys).load(plan);
  }

  @Test
  void a_caller_that_hangs_up_before_the_first_word_ends_its_journey_at_once() throws Exception {
    try (TestPod pod = pod(SamplePlans.unhurried(), 10)) {
      Asker stays = Asker.asking(pod);
      Asker leaves = Asker.asking(pod);
      journeys.awaitRunning(2);

      leaves.close();

      await().atMost(Duration.ofSeconds(10)).until(() -> journeys.cancelled.get() == 1);
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 1);
      journeys.letGo(1);
      assertThat(stays.status()).contains("200");
      stays.close();
    }
  }

  @Test
  void a_caller_that_hangs_up_in_the_queue_leaves_it() throws Exception {
    try (TestPod pod = pod(SamplePlans.unhurried(), 1)) {
      // From then on a place is expected to be free soon.
      journeys.letGo(1);
      assertThat(pod.ask("{\"question\": \"why?\"}").statusCode()).isEqualTo(200);
      Asker first = Asker.asking(pod);
      journeys.awaitRunning(1);
      Asker leaves = Asker.asking(pod);
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 2);

      leaves.close();

      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 1);
      journeys.letGo(1);
      assertThat(first.status()).contains("200");
      assertThat(journeys.asked).hasSize(2);
      first.close();
    }
  }

  @Test
  void questions_sent_ahead_on_one_connection_are_all_answered() throws Exception {
    try (TestPod pod = pod(SamplePlans.unhurried(), 1);
        Asker asker = Asker.asking(pod, 5)) {
      journeys.letGo(5);
      for (int i = 0; i < 5; i++) {
        assertThat(asker.status()).contains("200");
      }
      assertThat(journeys.cancelled).hasValue(0);
    }
  }

  @Test
  void at_the_drain_bound_what_is_on_its_way_is_cancelled_and_its_caller_told() throws Exception {
    TestPod pod = pod(SamplePlans.smallest(), 10);
    CompletableFuture<HttpResponse<String>> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pod.ask("{\"question\": \"why?\"}");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            threads);
    journeys.awaitRunning(1);

    pod.server.close(Duration.ofMillis(100));

    assertThat(answer.get().statusCode()).isEqualTo(503);
    assertThat(answer.get().body()).contains("the pod stopped before the answer was there");
    assertThat(journeys.cancelled).hasValue(1);
    pod.close();
  }
}
