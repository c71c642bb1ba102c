package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Question;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One answer in OpenAI's shape, whole or in chunks.
 *
 * @param ignored what of the request was not acted on
 */
record ChatCompletion(String id, long created, String model, List<String> ignored) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  static ChatCompletion begun(String journey, Instant now, List<String> ignored) {
    String id = "chatcmpl-" + UUID.randomUUID().toString().replace("-", "");
    return new ChatCompletion(id, now.getEpochSecond(), journey, List.copyOf(ignored));
  }

  ObjectNode whole(Question question, Answer answer) {
    ObjectNode json = head("chat.completion");
    ObjectNode choice = json.putArray("choices").addObject().put("index", 0);
    choice
        .putObject("message")
        .put("role", "assistant")
        .put("content", answer.content())
        .putNull("refusal");
    choice.putNull("logprobs").put("finish_reason", finishReason(answer));
    ObjectNode usage = usage(answer);
    if (usage != null) {
      json.set("usage", usage);
    }
    json.set("ragjourney", facts(question, answer));
    return json;
  }

  /** The first chunk: who speaks. */
  ObjectNode roleChunk() {
    ObjectNode delta = NODES.objectNode().put("role", "assistant").put("content", "");
    return chunk(delta, null);
  }

  ObjectNode contentChunk(String content) {
    return chunk(NODES.objectNode().put("content", content), null);
  }

  /** The last chunk: why it ended, and how good it is. */
  ObjectNode lastChunk(Question question, Answer answer) {
    ObjectNode chunk = chunk(NODES.objectNode(), finishReason(answer));
    chunk.set("ragjourney", facts(question, answer));
    return chunk;
  }

  /** After the last chunk, for a caller that asked for it; null if the model did not count. */
  @Nullable ObjectNode usageChunk(Answer answer) {
    ObjectNode usage = usage(answer);
    if (usage == null) {
      return null;
    }
    ObjectNode chunk = head("chat.completion.chunk");
    chunk.putArray("choices");
    chunk.set("usage", usage);
    return chunk;
  }

  private ObjectNode chunk(ObjectNode delta, @Nullable String finishReason) {
    ObjectNode chunk = head("chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("logprobs").put("finish_reason", finishReason);
    return chunk;
  }

  private ObjectNode head(String object) {
    return NODES
        .objectNode()
        .put("id", id)
        .put("object", object)
        .put("created", created)
        .put("model", model);
  }

  /** The facts of {@code /v1/ask} without the content, and what was not acted on. */
  private ObjectNode facts(Question question, Answer answer) {
    ObjectNode facts = AnswerJson.of(question, answer);
    facts.remove("content");
    ignored.forEach(facts.putArray("ignored")::add);
    return facts;
  }

  private static String finishReason(Answer answer) {
    if (answer.truncated()) {
      return "length";
    }
    Completion completion = answer.completion();
    String reason = completion == null ? "" : completion.finishReason();
    return switch (reason) {
      case "length", "content_filter" -> reason;
      default -> "stop";
    };
  }

  private static @Nullable ObjectNode usage(Answer answer) {
    Completion completion = answer.completion();
    if (completion == null
        || completion.inputTokens() == null
        || completion.outputTokens() == null) {
      return null;
    }
    return NODES
        .objectNode()
        .put("prompt_tokens", completion.inputTokens())
        .put("completion_tokens", completion.outputTokens())
        .put("total_tokens", (long) completion.inputTokens() + completion.outputTokens());
  }
}
