package dev.ragjourney.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.budget.AnswerCachePolicy;
import dev.ragjourney.budget.AnswerSource;
import dev.ragjourney.budget.Enforcement;
import dev.ragjourney.budget.FallbackLevel;
import dev.ragjourney.budget.JourneyBudget;
import dev.ragjourney.budget.JourneyPolicy;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Generator;
import dev.ragjourney.pipeline.StagePort;
import dev.ragjourney.plan.LevelPlan;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.server.Backend;
import dev.ragjourney.server.BackendFactory;
import dev.ragjourney.support.MountedPlan;
import dev.ragjourney.support.SamplePlans;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole pod with the embedded backends, whose model stops answering. */
@Timeout(180)
class CachedAnswersIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAMES = "namespace=\"default\",journey=\"faq\",";

  @TempDir Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private volatile boolean hangs;

  @Test
  void when_the_model_hangs_earlier_answers_are_given_and_only_to_the_same_questions()
      throws Exception {
    Path documents = Files.createDirectory(directory.resolve("documents"));
    Files.writeString(
        documents.resolve("leave.txt"),
        "Anna has 12 days of leave left.\n\nBob has 30 days of leave left.\n");
    MountedPlan mount = new MountedPlan(Files.createDirectory(directory.resolve("plan")));
    mount.write(plan());
    PipelineSettings settings =
        new PipelineSettings(
            mount.directory(),
            documents,
            directory.resolve("secrets"),
            "127.0.0.1",
            0,
            0,
            10,
            Duration.ZERO);
    BackendFactory embedded = new PodBackends(documents, settings.secretsDirectory(), Map.of());
    try (PipelinePod pod =
        new PipelinePod(
            settings, Map.of(), (use, questions) -> new Hanging(embedded.open(use, questions)))) {
      pod.start();
      await().atMost(Duration.ofSeconds(120)).until(() -> get(pod, "/readyz").statusCode() == 200);
      JsonNode first = ask(pod, "How many days of leave does Anna have left?");
      assertThat(first.path("cached").booleanValue()).isFalse();
      assertThat(first.path("content").textValue()).contains("12 days");
      await()
          .atMost(Duration.ofSeconds(10))
          .until(
              () -> get(pod, "/metrics").body().contains("rag_cache_entries{" + NAMES + "} 1.0"));

      hangs = true;
      JsonNode again = ask(pod, "Please tell me how many days of leave Anna has left.");
      assertThat(again.path("cached").booleanValue()).as(again.toString()).isTrue();
      assertThat(again.path("degraded").booleanValue()).isTrue();
      assertThat(again.path("overBudget").booleanValue()).isFalse();
      assertThat(again.path("level").textValue()).isEqualTo("cached");
      assertThat(again.path("content")).isEqualTo(first.path("content"));
      assertThat(again.path("sources")).isEqualTo(first.path("sources"));

      JsonNode bob = ask(pod, "How many days of leave does Bob have left?");
      assertThat(bob.path("cached").booleanValue()).isFalse();
      assertThat(bob.path("level").textValue()).isEqualTo("sorry");
      assertThat(get(pod, "/metrics").body())
          .contains(
              "rag_cache_lookups_total{" + NAMES + "result=\"hit\",} 1.0",
              "outcome=\"degraded\",level=\"cached\",deadline=\"own\",} 1.0");
    }
  }

  /** Four seconds, and a level that answers from the cache. */
  private static Plan plan() {
    Plan plan = SamplePlans.unhurried();
    JourneyBudget budget = plan.budget();
    FallbackLevel full = budget.levels().getFirst();
    List<FallbackLevel> levels =
        List.of(
            new FallbackLevel(
                full.name(), AnswerSource.STAGES, Duration.ofSeconds(1), List.of(), List.of()),
            new FallbackLevel(
                "cached", AnswerSource.SEMANTIC_CACHE, Duration.ZERO, List.of(), List.of()),
            budget.levels().getLast());
    List<LevelPlan> used = new ArrayList<>();
    levels.forEach(level -> used.add(new LevelPlan(level.name(), Map.of())));
    return new Plan(
        plan.schemaVersion(),
        plan.namespace(),
        plan.journey(),
        plan.generation(),
        plan.revision(),
        new JourneyBudget(
            Duration.ofSeconds(4),
            budget.countTo(),
            budget.reserve(),
            budget.lastTokenMargin(),
            budget.streamIdle(),
            budget.streamMax(),
            budget.stages(),
            levels),
        plan.stages(),
        used,
        plan.backends(),
        plan.staticMessage(),
        plan.degradedHint(),
        plan.refuseWithoutContext(),
        new JourneyPolicy(
            Enforcement.ENFORCE,
            false,
            0,
            new AnswerCachePolicy(100, Duration.ofHours(1), 0.88, false),
            null),
        plan.boundaries(),
        plan.warmUp());
  }

  /** A backend whose model stops answering when it is told to. */
  private final class Hanging implements Backend {
    private final Backend backend;

    Hanging(Backend backend) {
      this.backend = backend;
    }

    @Override
    public StagePort port(StageType type) {
      if (!(backend.port(type) instanceof Generator model)) {
        return backend.port(type);
      }
      return (Generator)
          (call, prompt, sink) -> {
            if (hangs) {
              CountDownLatch cut = new CountDownLatch(1);
              call.cancellation().onCancel(cut::countDown);
              cut.await(1, TimeUnit.MINUTES);
              throw new CallCancelledException();
            }
            return model.generate(call, prompt, sink);
          };
    }

    @Override
    public List<String> missing() {
      return backend.missing();
    }

    @Override
    public void close() {
      backend.close();
    }
  }

  private JsonNode ask(PipelinePod pod, String question) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pod.port() + "/v1/ask"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        JSON.createObjectNode().put("question", question).toString()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> get(PipelinePod pod, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + pod.adminPort() + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
