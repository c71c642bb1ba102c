package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.ObjectMappers;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.RateLimitException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.models.Model;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Turn;
import dev.ragjourney.support.SamplePlans;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** OpenAI's own SDKs, as their users have them, pointed at a pod. */
@Timeout(120)
class OpenAiClientsIT {
  private static final String WATER = "Water boils at 100 degrees\n.";

  @TempDir Path directory;

  private TestPod pod(Journeys journeys, int maxJourneys) throws Exception {
    return new TestPod(directory, new FakeBackends(), metrics -> journeys, maxJourneys)
        .load(SamplePlans.smallest());
  }

  private static URI base(TestPod pod) {
    return pod.uri("/v1");
  }

  private static OpenAIClient java(TestPod pod) {
    return OpenAIOkHttpClient.builder()
        .baseUrl(base(pod).toString())
        .apiKey("any")
        .maxRetries(0)
        .build();
  }

  private static ChatCompletionCreateParams.Builder question() {
    return ChatCompletionCreateParams.builder().model("faq").addUserMessage("When does it boil?");
  }

  @Test
  void the_java_sdk_lists_asks_and_streams() throws Exception {
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.DEGRADED, null);
    try (TestPod pod = pod(journeys, 10)) {
      OpenAIClient client = java(pod);

      assertThat(client.models().list().data()).extracting(Model::id).containsExactly("faq");
      ChatCompletion whole = client.chat().completions().create(question().build()).validate();
      assertThat(whole.choices().getFirst().message().content()).hasValue(WATER);
      assertThat(whole.choices().getFirst().finishReason())
          .isEqualTo(ChatCompletion.Choice.FinishReason.STOP);
      assertThat(whole.usage().orElseThrow().totalTokens()).isEqualTo(15);
      JsonNode facts = ObjectMappers.jsonMapper().<JsonNode>valueToTree(whole).path("ragjourney");
      assertThat(facts.path("level").asText()).isEqualTo("fast");
      assertThat(facts.path("degraded").asBoolean()).isTrue();

      ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
      ChatCompletionCreateParams streamed =
          question()
              .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
              .build();
      try (StreamResponse<ChatCompletionChunk> chunks =
          client.chat().completions().createStreaming(streamed)) {
        chunks.stream().map(ChatCompletionChunk::validate).forEach(accumulator::accumulate);
      }
      ChatCompletion all = accumulator.chatCompletion();
      assertThat(all.choices().getFirst().message().content()).hasValue(WATER);
      assertThat(all.usage().orElseThrow().totalTokens()).isEqualTo(15);
      client.close();
    }
  }

  @Test
  void the_java_sdk_understands_the_errors() throws Exception {
    WaitingJourneys journeys = new WaitingJourneys();
    try (TestPod pod = pod(journeys, 1);
        Asker first = Asker.asking(pod)) {
      journeys.awaitRunning(1);
      OpenAIClient client = java(pod);
      RateLimitException busy =
          catchThrowableOfType(
              RateLimitException.class,
              () -> client.chat().completions().create(question().build()));
      assertThat(busy.code()).hasValue("rate_limit_exceeded");
      assertThat(busy.headers().values("retry-after")).containsExactly("3");
      journeys.letGo(1);
      assertThat(first.status()).contains("200");
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 0);

      BadRequestException two =
          catchThrowableOfType(
              BadRequestException.class,
              () -> client.chat().completions().create(question().n(2).build()));
      assertThat(two.param()).hasValue("n");
      assertThat(two.code()).hasValue("unsupported_parameter");
      assertThatThrownBy(
              () -> client.chat().completions().create(question().model("gpt-4o").build()))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("there is no model \"gpt-4o\" here; the journey is \"faq\"");
      client.close();
    }
  }

  @Test
  void closing_the_java_sdks_stream_ends_the_journey() throws Exception {
    Semaphore gate = new Semaphore(0);
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, gate);
    try (TestPod pod = pod(journeys, 10)) {
      OpenAIClient client = java(pod);
      gate.release();
      try (StreamResponse<ChatCompletionChunk> chunks =
          client.chat().completions().createStreaming(question().build())) {
        assertThat(chunks.stream().findFirst()).isPresent();
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                gate.release();
                return journeys.ended.contains("cancelled");
              });
      client.close();
    }
  }

  @Test
  void the_python_sdk_lists_asks_and_streams() throws Exception {
    PythonClient python = PythonClient.required();
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.DEGRADED, null);
    try (TestPod pod = pod(journeys, 10)) {
      assertThat(python.run(base(pod), "models"))
          .extracting(JsonNode::asText)
          .containsExactly("faq", "default");

      JsonNode whole = python.run(base(pod), "whole");
      assertThat(whole.path("content").asText()).isEqualTo(WATER);
      assertThat(whole.path("finish").asText()).isEqualTo("stop");
      assertThat(whole.path("tokens").asInt()).isEqualTo(15);
      assertThat(whole.at("/facts/level").asText()).isEqualTo("fast");
      assertThat(whole.at("/facts/ignored/0").asText()).isEqualTo("messages[0]");
      Question asked = journeys.asked.take();
      assertThat(asked.text()).isEqualTo("When does it boil?");
      assertThat(asked.tenant()).isEqualTo("ann");
      assertThat(asked.earlier())
          .containsExactly(
              new Turn(Turn.Speaker.USER, "What is ice?"),
              new Turn(Turn.Speaker.ASSISTANT, "Frozen water."));

      JsonNode streamed = python.run(base(pod), "stream");
      assertThat(streamed.path("content").asText()).isEqualTo(WATER);
      assertThat(streamed.path("finish").asText()).isEqualTo("stop");
      assertThat(streamed.path("tokens").asInt()).isEqualTo(15);
      assertThat(streamed.at("/facts/degraded").asBoolean()).isTrue();
    }
  }

  @Test
  void the_python_sdk_understands_the_errors() throws Exception {
    PythonClient python = PythonClient.required();
    WaitingJourneys journeys = new WaitingJourneys();
    try (TestPod pod = pod(journeys, 1);
        Asker first = Asker.asking(pod)) {
      journeys.awaitRunning(1);
      JsonNode busy = python.run(base(pod), "error");
      assertThat(busy.path("class").asText()).isEqualTo("RateLimitError");
      assertThat(busy.path("code").asText()).isEqualTo("rate_limit_exceeded");
      assertThat(busy.path("retryAfter").asText()).isEqualTo("3");
      journeys.letGo(1);
      assertThat(first.status()).contains("200");
      await().atMost(Duration.ofSeconds(10)).until(() -> pod.server.journeys() == 0);

      JsonNode refused = python.run(base(pod), "refused");
      assertThat(refused)
          .extracting(e -> e.path("class").asText() + " " + e.path("param").asText())
          .containsExactly("BadRequestError n", "NotFoundError model");
    }
  }

  @Test
  void closing_the_python_sdks_stream_ends_the_journey() throws Exception {
    PythonClient python = PythonClient.required();
    Semaphore gate = new Semaphore(1);
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, gate);
    try (TestPod pod = pod(journeys, 10)) {
      assertThat(python.run(base(pod), "leave").path("content").asText()).isEqualTo("Water ");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                gate.release();
                return journeys.ended.contains("cancelled");
              });
    }
  }
}
