package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.CountTo;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.LatencyBoundaries;
import dev.ragjourney.budget.LearningPolicy;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.plan.LevelPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.plan.StagePlan;
import dev.ragjourney.support.MountedPlan;
import dev.ragjourney.support.PodProcess;
import dev.ragjourney.support.SamplePlans;
import dev.ragjourney.support.scripted.Behaviour;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.Protocol;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pod as a process of its own, stopped by the signal that kubelet sends. */
@Timeout(120)
class PipelineProcessIT {
  @TempDir Path directory;

  @Test
  void on_sigterm_the_answer_on_its_way_comes_whole_and_the_process_ends() throws Exception {
    try (ScriptedBackend backend = ScriptedBackend.start();
        HttpClient client = HttpClient.newHttpClient()) {
      backend.script(Protocol.CHAT, Behaviour.delayed(2_000));
      MountedPlan mount = new MountedPlan(Files.createDirectory(directory.resolve("plan")));
      mount.write(plan(backend));
      try (PodProcess pod = PodProcess.start(directory, mount)) {
        CompletableFuture<HttpResponse<String>> answer = ask(client, pod.journeys());
        await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> !backend.exchanges("/v1/chat").isEmpty());
        pod.process().destroy();
        assertThat(answer.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(answer.get().body()).contains("\"degraded\":false");
        assertThat(pod.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(pod.process().exitValue()).as("ended by SIGTERM").isEqualTo(128 + 15);
      }
    }
  }

  @Test
  void on_sigterm_calls_that_go_on_unseen_are_closed_before_the_answer_on_its_way_is_there()
      throws Exception {
    try (ScriptedBackend backend = ScriptedBackend.start();
        HttpClient client = HttpClient.newHttpClient()) {
      backend.script("search", Behaviour.delayed(60_000));
      backend.script(Protocol.CHAT, Behaviour.delayed(4_000));
      MountedPlan mount = new MountedPlan(Files.createDirectory(directory.resolve("plan")));
      mount.write(
          SamplePlans.withPolicy(
              plan(backend),
              new JourneyPolicy(Enforcement.ENFORCE, false, 0, null, new LearningPolicy(1, 0))));
      try (PodProcess pod = PodProcess.start(directory, mount)) {
        CompletableFuture<HttpResponse<String>> answer = ask(client, pod.journeys());
        await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> !backend.exchanges("/v1/chat").isEmpty());
        Exchange search = backend.exchanges("/http/search").getFirst();
        assertThat(search.ending()).as("cut, and going on").isEqualTo(Exchange.Ending.OPEN);

        pod.process().destroy();

        await().until(() -> search.ending() == Exchange.Ending.CLOSED_BY_CLIENT);
        assertThat(answer.isDone()).isFalse();
        assertThat(answer.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
    }
  }

  private static CompletableFuture<HttpResponse<String>> ask(HttpClient client, URI pod) {
    return client.sendAsync(
        HttpRequest.newBuilder(pod.resolve("/v1/ask"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"question\": \"When?\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Search and model on the scripted backend, ten seconds in all: nothing embedded to load. */
  private static Plan plan(ScriptedBackend backend) {
    Duration total = Duration.ofSeconds(10);
    return new Plan(
        Plan.SCHEMA_VERSION,
        "default",
        "remote",
        1,
        1,
        new JourneyBudget(
            total,
            CountTo.FIRST_TOKEN,
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            List.of(
                SamplePlans.stage("search", StageType.SEARCH, false, 2000L, 0),
                SamplePlans.stage("generate", StageType.GENERATE, false, null, 1000)),
            List.of(
                new FallbackLevel(
                    "full", AnswerSource.STAGES, Duration.ofSeconds(2), List.of(), List.of()),
                new FallbackLevel(
                    "sorry", AnswerSource.STATIC, Duration.ZERO, List.of(), List.of()))),
        List.of(
            new StagePlan("search", List.of(SamplePlans.variant("v0", "docs", 5)), null, null),
            new StagePlan("generate", List.of(SamplePlans.variant("v0", "llm", 0)), null, null)),
        List.of(new LevelPlan("full", Map.of()), new LevelPlan("sorry", Map.of())),
        List.of(
            SamplePlans.backend(
                "docs", "http", Map.of("url", backend.url("/http/search").toString())),
            SamplePlans.backend(
                "llm", "openai", Map.of("url", backend.url("/v1").toString(), "model", "small"))),
        "Try again in a moment.",
        "Quick answer; some detail may be missing.",
        false,
        JourneyPolicy.PLAIN,
        LatencyBoundaries.of(total),
        List.of());
  }
}
