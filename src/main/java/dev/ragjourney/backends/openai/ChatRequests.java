package dev.ragjourney.backends.openai;

import com.openai.models.ReasoningEffort;
import com.openai.models.chat.completions.ChatCompletionAssistantMessageParam;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Turn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds chat requests from prompts and settings. */
record ChatRequests(OpenAiSettings settings) {
  ChatCompletionCreateParams answer(Prompt prompt) {
    Integer limit = prompt.maxTokens() == null ? settings.maxTokens() : prompt.maxTokens();
    String effort =
        prompt.reasoningEffort() == null ? settings.reasoningEffort() : prompt.reasoningEffort();
    ChatCompletionCreateParams.Builder request =
        request(
            PromptLayout.system(prompt),
            prompt.earlier(),
            PromptLayout.user(prompt),
            limit,
            effort);
    if (settings.countsStreams()) {
      request.streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
    }
    return request.build();
  }

  ChatCompletionCreateParams rewrite(String question, List<Turn> earlier, String instructions) {
    return request(
            PromptLayout.rewriteSystem(instructions),
            List.of(),
            PromptLayout.rewriteUser(question, earlier),
            settings.maxTokens(),
            settings.reasoningEffort())
        .build();
  }

  private ChatCompletionCreateParams.Builder request(
      String system,
      List<Turn> earlier,
      String user,
      @Nullable Integer limit,
      @Nullable String effort) {
    ChatCompletionCreateParams.Builder request =
        ChatCompletionCreateParams.builder().model(settings.model()).addSystemMessage(system);
    for (Turn turn : earlier) {
      switch (turn.speaker()) {
        case USER -> request.addUserMessage(turn.text());
        case ASSISTANT ->
            request.addMessage(
                ChatCompletionAssistantMessageParam.builder().content(turn.text()).build());
      }
    }
    request.addUserMessage(user);
    if (limit != null && (settings.completionTokens() || effort != null)) {
      request.maxCompletionTokens(limit.longValue());
    } else if (limit != null) {
      // The only name that many compatible servers know.
      request.putAdditionalBodyProperty("max_tokens", com.openai.core.JsonValue.from(limit));
    }
    if (effort != null) {
      request.reasoningEffort(ReasoningEffort.of(effort));
    }
    if (settings.temperature() != null) {
      request.temperature(settings.temperature());
    }
    return request;
  }
}
