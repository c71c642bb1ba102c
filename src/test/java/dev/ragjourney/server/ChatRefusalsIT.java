package dev.ragjourney.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.support.SamplePlans;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused on the path of chat completions, and in which shape. */
@Timeout(60)
class ChatRefusalsIT {
  private static final String MESSAGES =
      "\"messages\": [{\"role\": \"user\", \"content\": \"When does water boil?\"}]";

  @TempDir Path directory;

  static Stream<Arguments> refused() {
    return Stream.of(
        refused("no messages", "{}", "messages", null, "\"messages\" is missing"),
        refused(
            "an image",
            content("[{\"type\": \"image_url\", \"image_url\": {\"url\": \"u\"}}]"),
            "messages[0].content[0]",
            "unsupported_content",
            "reads text parts only"),
        refused(
            "a text part without text",
            content("[{\"type\": \"text\"}]"),
            "messages[0].content[0]",
            "unsupported_content",
            "of type \"text\""),
        refused(
            "a number for a content",
            content("7"),
            "messages[0].content",
            "invalid_type",
            "neither a string nor a list"),
        refused(
            "a blank question",
            content("\" \""),
            "messages[0]",
            "invalid_value",
            "the last message is not a user's"),
        refused(
            "an assistant's last word",
            "{\"messages\": [{\"role\": \"user\", \"content\": \"q\"},"
                + " {\"role\": \"assistant\", \"content\": \"Well\"}]}",
            "messages[1]",
            "invalid_value",
            "the last message is not a user's"),
        refused(
            "a tool's result",
            "{\"messages\": [{\"role\": \"tool\", \"content\": \"q\"}]}",
            "messages[0].role",
            "unsupported_value",
            "calls no tools"),
        refused(
            "an unknown role",
            "{\"messages\": [{\"role\": \"bot\", \"content\": \"q\"}]}",
            "messages[0].role",
            "invalid_value",
            "none of system, developer, user, assistant"),
        refused("two answers", with("\"n\": 2"), "n", "unsupported_parameter", "one answer"),
        refused(
            "tools",
            with("\"tools\": [{\"type\": \"function\"}]"),
            "tools",
            "unsupported_parameter",
            "calls no tools"),
        refused(
            "a JSON schema",
            with("\"response_format\": {\"type\": \"json_schema\"}"),
            "response_format",
            "unsupported_parameter",
            "answers in text"),
        refused(
            "a stop sequence",
            with("\"stop\": [\"END\"]"),
            "stop",
            "unsupported_parameter",
            "ends where its model ends it"),
        refused(
            "speech",
            with("\"modalities\": [\"text\", \"audio\"]"),
            "modalities",
            "unsupported_parameter",
            "answers in text"),
        refused(
            "log probabilities",
            with("\"logprobs\": true"),
            "logprobs",
            "unsupported_parameter",
            "no log probabilities"),
        refused(
            "no tokens at all",
            with("\"max_tokens\": 0"),
            "max_tokens",
            "invalid_value",
            "not a whole number above 0"),
        refused(
            "a stream flag in quotes",
            with("\"stream\": \"yes\""),
            "stream",
            "invalid_type",
            "not true or false"),
        refused(
            "a model in a list", with("\"model\": []"), "model", "invalid_type", "not a string"),
        refused("half a document", "{\"messages\": [", null, null, "not valid JSON"));
  }

  @ParameterizedTest(name = "{0} is refused with the parameter that is at fault")
  @MethodSource("refused")
  void what_would_change_the_meaning_or_makes_no_sense_is_refused(
      String name, String body, String param, String code, String message) throws Exception {
    Journeys journeys = new ScriptedJourneys(Outcome.FULL, null);
    try (TestPod pod =
        new TestPod(directory, new FakeBackends(), metrics -> journeys, 10)
            .load(SamplePlans.smallest())) {
      HttpResponse<String> response = pod.chat(body);
      assertThat(response.statusCode()).isEqualTo(400);
      JsonNode error = TestPod.json(response).path("error");
      assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
      assertThat(error.get("param").textValue()).isEqualTo(param);
      assertThat(error.get("code").textValue()).isEqualTo(code);
      assertThat(error.path("message").asText()).contains(message);
    }
  }

  @Test
  void every_error_of_the_path_has_openais_shape() throws Exception {
    Journeys broken =
        (route, question, sink, caller) -> {
          throw new IllegalStateException("a bug");
        };
    try (TestPod pod = new TestPod(directory, new FakeBackends(), metrics -> broken, 10)) {
      assertError(pod.chat("{" + MESSAGES + "}"), 503, "server_error", "no_answer");
      assertError(pod.get("/v1/models"), 503, "server_error", "no_answer");
      pod.load(SamplePlans.smallest());
      assertError(pod.chat("{" + MESSAGES + "}"), 500, "server_error", null);
      assertError(
          pod.get("/v1/chat/completions"), 405, "invalid_request_error", "method_not_allowed");
      assertError(
          pod.chat(content("\"" + "x".repeat(300_000) + "\"")),
          413,
          "invalid_request_error",
          "request_too_large");
      assertError(
          pod.chat(content("\"" + "x".repeat(70_000) + "\"")),
          400,
          "invalid_request_error",
          "context_length_exceeded");
    }
    WaitingJourneys waiting = new WaitingJourneys();
    try (TestPod full =
            new TestPod(
                    Files.createDirectory(directory.resolve("full")),
                    new FakeBackends(),
                    metrics -> waiting,
                    1)
                .load(SamplePlans.smallest());
        Asker first = Asker.asking(full)) {
      waiting.awaitRunning(1);
      HttpResponse<String> response = full.chat("{" + MESSAGES + "}");
      assertError(response, 429, "rate_limit_error", "rate_limit_exceeded");
      assertThat(response.headers().firstValue("retry-after")).hasValue("3");
      waiting.letGo(1);
      assertThat(first.status()).contains("200");
    }
  }

  private static void assertError(
      HttpResponse<String> response, int status, String type, String code) throws Exception {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    JsonNode error = TestPod.json(response).path("error");
    assertThat(error.path("type").asText()).isEqualTo(type);
    assertThat(error.get("code").textValue()).isEqualTo(code);
    assertThat(error.path("message").asText()).isNotBlank();
  }

  private static Arguments refused(
      String name, String body, String param, String code, String message) {
    return arguments(name, body, param, code, message);
  }

  private static String with(String parameter) {
    return "{" + parameter + ", " + MESSAGES + "}";
  }

  private static String content(String content) {
    return "{\"messages\": [{\"role\": \"user\", \"content\": " + content + "}]}";
  }
}
