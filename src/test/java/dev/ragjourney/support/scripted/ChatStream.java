package dev.ragjourney.support.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server-sent events of a streamed chat completion. */
final class ChatStream {
  /** What a proxy sends to keep an idle connection open. */
  static final String COMMENT = ": keep-alive\n\n";

  private static final String DONE = "data: [DONE]\n\n";

  private ChatStream() {}

  /** Words with the space before them. */
  static List<String> tokens(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split("(?= )"));
  }

  static List<String> events(JsonNode request, String text, Fault.@Nullable Kind wrong) {
    if (wrong == Fault.Kind.ERROR_SHAPED_200) {
      return List.of(event(Answers.error("server_error")), DONE);
    }
    if (wrong == Fault.Kind.GARBAGE) {
      return List.of("data: <html> not json\n\n");
    }
    List<String> events = new ArrayList<>();
    events.add(role());
    List<String> tokens = wrong == Fault.Kind.EMPTY ? List.of() : tokens(text);
    for (int i = 0; i < tokens.size(); i++) {
      String chunk = content(tokens.get(i));
      if (i == tokens.size() / 2) {
        if (wrong == Fault.Kind.ERROR_IN_STREAM) {
          events.add(event(Answers.error("overloaded_error")));
          return events;
        }
        if (wrong == Fault.Kind.TRUNCATED_JSON) {
          events.add(event(chunk.substring(0, chunk.length() / 2)));
          return events;
        }
      }
      events.add(event(chunk));
    }
    if (wrong != Fault.Kind.NO_FINISH_REASON) {
      events.add(event(finish()));
    }
    if (wrong == Fault.Kind.HANG_AFTER_FINISH) {
      return events;
    }
    if (request.path("stream_options").path("include_usage").asBoolean()) {
      events.add(event(usage(tokens.size())));
    }
    events.add(DONE);
    return events;
  }

  /** The chunk that many servers send first: a role and no content. */
  static String role() {
    ObjectNode chunk = chunk();
    delta(chunk).put("role", "assistant").put("content", "");
    return event(Answers.write(chunk));
  }

  private static String content(String token) {
    ObjectNode chunk = chunk();
    delta(chunk).put("content", token);
    return Answers.write(chunk);
  }

  private static String finish() {
    ObjectNode chunk = chunk();
    chunk
        .putArray("choices")
        .addObject()
        .put("index", 0)
        .put("finish_reason", "stop")
        .putObject("delta");
    return Answers.write(chunk);
  }

  private static String usage(int tokens) {
    ObjectNode chunk = chunk();
    chunk.putArray("choices");
    chunk
        .putObject("usage")
        .put("prompt_tokens", 7)
        .put("completion_tokens", tokens)
        .put("total_tokens", 7 + tokens);
    return Answers.write(chunk);
  }

  private static ObjectNode chunk() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", "scripted")
        .put("object", "chat.completion.chunk")
        .put("created", 1)
        .put("model", "scripted");
  }

  private static ObjectNode delta(ObjectNode chunk) {
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.putNull("finish_reason");
    return choice.putObject("delta");
  }

  private static String event(String data) {
    return "data: " + data + "\n\n";
  }
}
