package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.support.SamplePlans;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pod that is asked more than it can do. */
@Timeout(60)
class OverloadIT {
  private static final String QUESTION = "{\"question\": \"why?\"}";
  private static final String LABELS = "{namespace=\"default\",journey=\"faq\",";

  @TempDir Path directory;

  private final WaitingJourneys journeys = new WaitingJourneys();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void the_level_falls_then_questions_wait_then_they_are_refused_and_the_metrics_say_so()
      throws Exception {
    try (TestPod pod =
        new TestPod(directory, new FakeBackends(), metrics -> journeys, 4)
            .load(SamplePlans.unhurried())) {
      // The first journey ends soon: from then on a place is expected to be free soon.
      journeys.letGo(1);
      assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);

      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        answers.add(ask(pod));
        journeys.awaitRunning(i);
      }
      assertThat(journeys.asked)
          .extracting(question -> question.startLevel())
          .containsExactly(0, 0, 0, 0, 0);
      assertThat(metric(pod, "rag_pod_inflight")).isEqualTo("4.0");
      assertThat(metric(pod, "rag_pod_limit")).isEqualTo("4.0");

      answers.add(ask(pod));
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 5);
      assertThat(metric(pod, "rag_pod_queued")).isEqualTo("1.0");
      assertThat(journeys.running).hasValue(4);

      HttpResponse<String> hurried = pod.ask(QUESTION, "x-rag-budget-ms", "10");
      assertThat(hurried.statusCode()).isEqualTo(429);
      assertThat(hurried.headers().firstValue("retry-after")).hasValue("1");
      assertThat(TestPod.json(hurried).path("content").textValue())
          .isEqualTo("Try again in a moment.");
      assertThat(TestPod.json(hurried).path("detail").textValue())
          .isEqualTo("4 journeys are on their way of 4 that this pod takes, and 1 questions wait");
      assertThat(pod.get("/livez").statusCode()).isEqualTo(200);
      assertThat(pod.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(pod.getAdmin("/plan").statusCode()).isEqualTo(200);

      journeys.letGo(1);
      await().atMost(Duration.ofSeconds(10)).until(() -> journeys.asked.size() == 6);
      assertThat(List.copyOf(journeys.asked).get(5).startLevel())
          .as("a question that waited starts at the cheapest level that runs stages")
          .isEqualTo(1);
      journeys.letGo(4);
      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertThat(answer.get().statusCode()).isEqualTo(200);
      }
      assertThat(metric(pod, "rag_pod_inflight")).isEqualTo("0.0");
      assertThat(pod.get("/metrics").body())
          .contains("rag_pod_admissions_total" + LABELS + "result=\"full\",} 5.0")
          .contains("rag_pod_admissions_total" + LABELS + "result=\"lowered\",} 1.0")
          .contains("rag_pod_admissions_total" + LABELS + "result=\"refused\",} 1.0")
          .contains("rag_pod_queue_seconds_count{namespace=\"default\",journey=\"faq\",} 7.0");
    }
  }

  @Test
  void a_question_is_not_kept_waiting_longer_than_its_cheapest_level_can_bear() throws Exception {
    try (TestPod pod =
        new TestPod(directory, new FakeBackends(), metrics -> journeys, 1)
            .load(SamplePlans.smallest())) {
      journeys.letGo(1);
      assertThat(pod.ask(QUESTION).statusCode()).isEqualTo(200);
      CompletableFuture<HttpResponse<String>> first = ask(pod);
      journeys.awaitRunning(1);

      HttpResponse<String> waited = pod.ask(QUESTION);

      assertThat(waited.statusCode()).isEqualTo(429);
      assertThat(journeys.running).hasValue(1);
      journeys.letGo(1);
      assertThat(first.get().statusCode()).isEqualTo(200);
    }
  }

  private CompletableFuture<HttpResponse<String>> ask(TestPod pod) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return pod.ask(QUESTION);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        threads);
  }

  private static String metric(TestPod pod, String name) throws Exception {
    return pod.getAdmin("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElseThrow();
  }
}
