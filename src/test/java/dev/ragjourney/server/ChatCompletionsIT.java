package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Turn;
import dev.ragjourney.support.SamplePlans;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OpenAI's shape, with journeys that are scripted. */
@Timeout(60)
class ChatCompletionsIT {
  private static final String MESSAGES =
      "\"messages\": [{\"role\": \"user\", \"content\": \"When does water boil?\"}]";

  @TempDir Path directory;

  private TestPod pod(Journeys journeys) throws Exception {
    return new TestPod(directory, new FakeBackends(), metrics -> journeys, 10)
        .load(SamplePlans.smallest());
  }

  @Test
  void an_answer_is_a_completion_with_the_facts_beside_it() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.DEGRADED, null))) {
      HttpResponse<String> response = pod.chat("{\"model\": \"faq\", " + MESSAGES + "}");

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
      assertThat(response.headers().firstValue("x-rag-level")).hasValue("fast");
      assertThat(response.headers().firstValue("x-rag-degraded")).hasValue("true");
      ObjectNode completion = (ObjectNode) TestPod.json(response);
      assertThat(completion.remove("id").textValue()).matches("chatcmpl-[0-9a-f]{32}");
      assertThat(completion.remove("created").longValue()).isGreaterThan(1_700_000_000L);
      JsonNode facts = completion.remove("ragjourney");
      assertThat(completion)
          .isEqualTo(
              TestPod.JSON.readTree(
                  """
                  {"object": "chat.completion", "model": "faq",
                   "choices": [{"index": 0, "logprobs": null, "finish_reason": "stop",
                     "message": {"role": "assistant", "refusal": null,
                                 "content": "Water boils at 100 degrees\\n."}}],
                   "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}}
                  """));
      ObjectNode asked = (ObjectNode) TestPod.json(pod.ask("{\"question\": \"q\"}"));
      asked.remove("content");
      asked.putArray("ignored");
      assertThat(facts).isEqualTo(asked);
    }
  }

  @Test
  void a_stream_is_chunks_that_end_with_the_facts_and_the_usage_that_was_asked_for()
      throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, null))) {
      HttpResponse<String> response =
          pod.chat(
              "{\"stream\": true, \"stream_options\": {\"include_usage\": true}, "
                  + MESSAGES
                  + "}");

      assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
      List<String> events = events(response);
      assertThat(events.removeLast()).isEqualTo("[DONE]");
      List<JsonNode> chunks = parsed(events);
      assertThat(chunks)
          .extracting(c -> c.path("id").asText())
          .hasSize(6)
          .containsOnly(chunks.getFirst().path("id").asText());
      assertThat(chunks)
          .allSatisfy(c -> assertThat(c.path("object").asText()).isEqualTo("chat.completion.chunk"))
          .allSatisfy(c -> assertThat(c.path("model").asText()).isEqualTo("faq"));
      assertThat(chunks.subList(0, 5))
          .allSatisfy(c -> assertThat(c.get("usage").isNull()).isTrue())
          .extracting(c -> c.path("choices").get(0).path("delta").toString())
          .containsExactly(
              "{\"role\":\"assistant\",\"content\":\"\"}",
              "{\"content\":\"Water \"}",
              "{\"content\":\"boils at \"}",
              "{\"content\":\"100 degrees\\n.\"}",
              "{}");
      assertThat(chunks.subList(0, 4))
          .allSatisfy(
              c -> assertThat(c.path("choices").get(0).get("finish_reason").isNull()).isTrue())
          .allSatisfy(c -> assertThat(c.has("ragjourney")).isFalse());
      JsonNode last = chunks.get(4);
      assertThat(last.path("choices").get(0).path("finish_reason").asText()).isEqualTo("stop");
      assertThat(last.path("ragjourney").path("level").asText()).isEqualTo("full");
      assertThat(last.path("ragjourney").path("degraded").booleanValue()).isFalse();
      assertThat(chunks.get(5).path("choices").isEmpty()).isTrue();
      assertThat(chunks.get(5).path("usage").path("total_tokens").intValue()).isEqualTo(15);
    }
  }

  @Test
  void a_static_answer_is_a_completion_like_any_other_streamed_or_not() throws Exception {
    Journeys sorry = (route, question, sink, caller) -> StaticAnswers.of(route, question);
    try (TestPod pod = pod(sorry)) {
      JsonNode whole = TestPod.json(pod.chat("{" + MESSAGES + "}"));
      assertThat(whole.at("/choices/0/message/content").asText())
          .isEqualTo("Try again in a moment.");
      assertThat(whole.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
      assertThat(whole.has("usage")).isFalse();
      assertThat(whole.at("/ragjourney/overBudget").booleanValue()).isTrue();

      List<String> events = events(pod.chat("{\"stream\": true, " + MESSAGES + "}"));
      assertThat(events.removeLast()).isEqualTo("[DONE]");
      List<JsonNode> chunks = parsed(events);
      assertThat(chunks)
          .extracting(c -> c.at("/choices/0/delta/content").asText(""))
          .containsExactly("", "Try again in a moment.", "");
      assertThat(chunks).noneMatch(c -> c.has("usage"));
      assertThat(chunks.getLast().at("/ragjourney/level").asText()).isEqualTo("sorry");
    }
  }

  @Test
  void a_journey_that_failed_is_503_in_openais_shape_streamed_or_not() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.ERROR, null))) {
      for (String stream : List.of("", "\"stream\": true, ")) {
        HttpResponse<String> response = pod.chat("{" + stream + MESSAGES + "}");
        assertThat(response.statusCode()).isEqualTo(503);
        JsonNode body = TestPod.json(response);
        assertThat(body.path("error"))
            .isEqualTo(
                TestPod.JSON.readTree(
                    """
                    {"message": "search gave nothing", "type": "server_error", "param": null,
                     "code": "no_answer"}
                    """));
        assertThat(body.at("/ragjourney/stage").asText()).isEqualTo("search");
        assertThat(body.at("/ragjourney/capMs").doubleValue()).isEqualTo(600);
      }
    }
  }

  @Test
  void the_last_message_is_the_question_and_those_before_it_the_conversation() throws Exception {
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, null);
    try (TestPod pod = pod(journeys)) {
      JsonNode answer =
          TestPod.json(
              pod.chat(
                  """
                  {"model": "faq", "user": "ann", "max_tokens": 70, "max_completion_tokens": 50,
                   "temperature": 0, "tools": [], "n": 1, "stop": null, "logit_bias": {},
                   "metadata": {"chat": "7"}, "response_format": {"type": "text"},
                   "messages": [
                    {"role": "system", "content": "Talk like a pirate."},
                    {"role": "user", "content": [{"type": "text", "text": "What is a cap?"},
                                                 {"type": "text", "text": "Briefly."}]},
                    {"role": "assistant", "content": "A limit.", "tool_calls": []},
                    {"role": "assistant", "content": null},
                    {"role": "developer", "content": "Be rude."},
                    {"role": "user", "content": " And a floor? "}]}
                  """));

      Question asked = journeys.asked.take();
      assertThat(asked.text()).isEqualTo("And a floor?");
      assertThat(asked.earlier())
          .containsExactly(
              new Turn(Turn.Speaker.USER, "What is a cap?\nBriefly."),
              new Turn(Turn.Speaker.ASSISTANT, "A limit."));
      assertThat(asked.maxTokens()).isEqualTo(50);
      assertThat(asked.tenant()).isEqualTo("ann");
      assertThat(answer.at("/ragjourney/ignored"))
          .extracting(JsonNode::asText)
          .containsExactly("messages[0]", "messages[4]", "temperature", "metadata");
    }
  }

  @ParameterizedTest(name = "{0} and user {1} make the tenant {2}")
  @CsvSource({"gateway, ann, gateway", ", ann, ann", "gateway, , gateway", ", , ''"})
  void the_tenant_header_wins_over_the_body(String header, String user, String tenant)
      throws Exception {
    ScriptedJourneys journeys = new ScriptedJourneys(Outcome.FULL, null);
    try (TestPod pod = pod(journeys)) {
      String named = user == null ? "" : "\"user\": \"" + user + "\", ";
      String[] headers = header == null ? new String[0] : new String[] {"x-rag-tenant", header};
      assertThat(pod.chat("{" + named + MESSAGES + "}", headers).statusCode()).isEqualTo(200);
      assertThat(journeys.asked.take().tenant()).isEqualTo(tenant);
    }
  }

  @Test
  void another_model_is_not_found_and_the_journey_is_listed() throws Exception {
    try (TestPod pod = pod(new ScriptedJourneys(Outcome.FULL, null))) {
      HttpResponse<String> other = pod.chat("{\"model\": \"gpt-4o\", " + MESSAGES + "}");
      assertThat(other.statusCode()).isEqualTo(404);
      JsonNode error = TestPod.json(other).path("error");
      assertThat(error.path("code").asText()).isEqualTo("model_not_found");
      assertThat(error.path("message").asText())
          .isEqualTo("there is no model \"gpt-4o\" here; the journey is \"faq\"");

      ObjectNode model = (ObjectNode) TestPod.json(pod.get("/v1/models")).at("/data/0");
      assertThat(TestPod.json(pod.get("/v1/models/faq"))).isEqualTo(model);
      assertThat(model.remove("created").longValue()).isGreaterThan(1_700_000_000L);
      assertThat(model)
          .isEqualTo(
              TestPod.JSON.readTree(
                  "{\"id\": \"faq\", \"object\": \"model\", \"owned_by\": \"default\"}"));
      assertThat(pod.get("/v1/models/gpt-4o").statusCode()).isEqualTo(404);
      assertThat(TestPod.json(pod.get("/v1/models/gpt-4o")).at("/error/code").asText())
          .isEqualTo("model_not_found");
    }
  }

  private static List<String> events(HttpResponse<String> response) {
    List<String> events = new ArrayList<>();
    for (String event : response.body().split("\n\n")) {
      assertThat(event).startsWith("data: ").doesNotContain("\n");
      events.add(event.substring("data: ".length()));
    }
    return events;
  }

  private static List<JsonNode> parsed(List<String> events) throws Exception {
    List<JsonNode> chunks = new ArrayList<>();
    for (String event : events) {
      chunks.add(TestPod.JSON.readTree(event));
    }
    return chunks;
  }
}
