package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.core.ObjectMappers;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Turn;
import dev.ragjourney.support.Backends;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChatRequestsTest {
  @ParameterizedTest(name = "{0} with reasoning effort {1} is given its limit as {2}")
  @CsvSource({
    "http://vllm:8000/v1,,max_tokens",
    "http://vllm:8000/v1,low,max_completion_tokens",
    "https://api.openai.com/v1,,max_completion_tokens",
    "https://eu.api.openai.com/v1,,max_completion_tokens",
    "https://openai.com.example/v1,,max_tokens"
  })
  void limits(String url, @Nullable String effort, String field) {
    JsonNode sent = answer(settings(url), prompt(50, effort));

    assertThat(sent.path(field).asInt()).isEqualTo(50);
    assertThat(sent.has("max_tokens") && sent.has("max_completion_tokens")).isFalse();
    assertThat(sent.path("reasoning_effort").asText(null)).isEqualTo(effort);
  }

  @Test
  void a_prompt_wins_over_the_backend_and_what_nobody_declares_is_not_sent() {
    OpenAiSettings declared =
        settings("http://a/v1", "maxTokens", "10", "temperature", "0.2", "reasoningEffort", "low");

    assertThat(answer(declared, prompt(50, "high")).path("max_completion_tokens").asInt())
        .isEqualTo(50);
    assertThat(answer(declared, prompt(50, "high")).path("reasoning_effort").asText())
        .isEqualTo("high");
    assertThat(answer(declared, prompt(null, null)).path("max_completion_tokens").asInt())
        .isEqualTo(10);
    assertThat(answer(declared, prompt(null, null)).path("temperature").asDouble()).isEqualTo(0.2);
    assertThat(answer(settings("http://a/v1"), prompt(null, null)).fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("messages", "model", "stream_options");
  }

  @Test
  void earlier_turns_are_messages_between_the_instructions_and_the_question() {
    Prompt prompt =
        new Prompt(
            "When?",
            List.of(
                new Turn(Turn.Speaker.USER, "Is there a shop?"),
                new Turn(Turn.Speaker.ASSISTANT, "Yes.")),
            List.of(),
            "Be brief.",
            false,
            null,
            null);

    assertThat(answer(settings("http://a/v1"), prompt).path("messages"))
        .extracting(message -> message.path("role").asText() + ": " + content(message))
        .containsExactly(
            "system: Be brief.",
            "user: Is there a shop?",
            "assistant: Yes.",
            "user: Question: When?");
  }

  private static String content(JsonNode message) {
    return message.path("content").asText();
  }

  @ParameterizedTest(name = "{0} {1} is refused: {2}")
  @CsvSource({
    "maxTokens,0,'must be a whole number above 0'",
    "maxTokens,many,'must be a whole number above 0'",
    "temperature,hot,'must be a number such as 0.2'",
    "temperature,-1,'must be a number such as 0.2'"
  })
  void settings_that_make_no_sense(String name, String value, String right) {
    assertThatThrownBy(() -> settings("http://a/v1", name, value))
        .hasMessage("backends[llm].openai." + name + " is \"" + value + "\", " + right);
  }

  @Test
  void a_model_must_be_named() {
    assertThatThrownBy(
            () -> OpenAiSettings.of(Backends.plan("llm", "openai", URI.create("http://a/v1"))))
        .hasMessage("backends[llm].openai.model is missing, must name a model");
  }

  private static OpenAiSettings settings(String url, String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "model";
    all[1] = "m";
    System.arraycopy(more, 0, all, 2, more.length);
    return OpenAiSettings.of(Backends.plan("llm", "openai", URI.create(url), all));
  }

  private static JsonNode answer(OpenAiSettings settings, Prompt prompt) {
    ChatCompletionCreateParams request = new ChatRequests(settings).answer(prompt);
    return ObjectMappers.jsonMapper().valueToTree(request._body());
  }

  private static Prompt prompt(@Nullable Integer maxTokens, @Nullable String effort) {
    return new Prompt("When?", List.of(), "", false, maxTokens, effort);
  }
}
