package dev.ragjourney.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.ObjectMappers;
import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;

/**
 * What a user of OpenAI's SDK has of one streamed answer.
 *
 * @param pieces of content that came one by one
 * @param facts the {@code ragjourney} member of the last chunk that has one
 */
record SdkStream(String content, int pieces, JsonNode facts) {
  /** Asks and reads to the end. */
  static SdkStream of(Journey journey, String question) {
    OpenAIClient sdk =
        OpenAIOkHttpClient.builder()
            .baseUrl(journey.service().resolve("/v1").toString())
            .apiKey("any")
            .maxRetries(0)
            .build();
    ChatCompletionCreateParams asked =
        ChatCompletionCreateParams.builder().model(journey.name()).addUserMessage(question).build();
    StringBuilder content = new StringBuilder();
    int pieces = 0;
    JsonNode facts = ObjectMappers.jsonMapper().createObjectNode();
    try (StreamResponse<ChatCompletionChunk> chunks =
        sdk.chat().completions().createStreaming(asked)) {
      for (ChatCompletionChunk chunk : (Iterable<ChatCompletionChunk>) chunks.stream()::iterator) {
        String piece = chunk.choices().getFirst().delta().content().orElse("");
        content.append(piece);
        pieces += piece.isEmpty() ? 0 : 1;
        JsonNode said = ObjectMappers.jsonMapper().<JsonNode>valueToTree(chunk).path("ragjourney");
        facts = said.isMissingNode() ? facts : said;
      }
    } finally {
      sdk.close();
    }
    return new SdkStream(content.toString(), pieces, facts);
  }
}
