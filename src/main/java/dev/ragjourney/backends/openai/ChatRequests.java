package dev.ragjourney.backends.openai;

import com.openai.models.ReasoningEffort;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import dev.ragjourney.pipeline.Prompt;
import org.jspecify.annotations.Nullable;

/** Builds chat requests from prompts and settings. */
record ChatRequests(OpenAiSettings settings) {
  ChatCompletionCreateParams answer(Prompt prompt) {
    Integer limit = prompt.maxTokens() == null ? settings.maxTokens() : prompt.maxTokens();
    String effort =
        prompt.reasoningEffort() == null ? settings.reasoningEffort() : prompt.reasoningEffort();
    return request(PromptLayout.system(prompt), PromptLayout.user(prompt), limit, effort)
        .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
        .build();
  }

  ChatCompletionCreateParams rewrite(String question, String instructions) {
    return request(
            PromptLayout.rewriteSystem(instructions),
            question,
            settings.maxTokens(),
            settings.reasoningEffort())
        .build();
  }

  private ChatCompletionCreateParams.Builder request(
      String system, String user, @Nullable Integer limit, @Nullable String effort) {
    ChatCompletionCreateParams.Builder request =
        ChatCompletionCreateParams.builder()
            .model(settings.model())
            .addSystemMessage(system)
            .addUserMessage(user);
    if (limit != null && settings.limitsCompletionTokens(effort)) {
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
