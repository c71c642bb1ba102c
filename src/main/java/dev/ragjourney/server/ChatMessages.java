package dev.ragjourney.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.Turn;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code messages} of a chat request: the last one is the question, those of the user and the
 * assistant before it are the conversation. Instructions belong to the journey's owner, so a
 * caller's system message is left out, and said to be.
 *
 * @param question not blank
 * @param earlier oldest first, bounded
 * @param ignored which messages were left out
 */
record ChatMessages(String question, List<Turn> earlier, List<String> ignored) {
  private static final String RIGHT = "[{\"role\": \"user\", \"content\": \"…\"}]";
  private static final int MAX_QUESTION = 64 * 1024;

  ChatMessages {
    earlier = List.copyOf(earlier);
    ignored = List.copyOf(ignored);
  }

  static ChatMessages parse(JsonNode messages) throws RefusedException {
    if (!messages.isArray() || messages.isEmpty()) {
      throw OpenAiError.refused(
          "messages", null, "\"messages\" is missing or empty; send " + RIGHT);
    }
    List<Turn> turns = new ArrayList<>();
    List<Integer> turnsAt = new ArrayList<>();
    List<String> ignored = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      JsonNode message = messages.get(i);
      String where = "messages[" + i + "]";
      String role = message.path("role").asText();
      switch (role) {
        case "system", "developer" -> ignored.add(where);
        case "user", "assistant" -> {
          String text = text(message, where, role.equals("assistant"));
          if (!text.isBlank()) {
            turns.add(new Turn(speaker(role), text.strip()));
            turnsAt.add(i);
          }
        }
        case "tool", "function" ->
            throw OpenAiError.refused(
                where + ".role", "unsupported_value", "a journey calls no tools of its caller's");
        default ->
            throw OpenAiError.refused(
                where + ".role",
                "invalid_value",
                where + ".role is none of system, developer, user, assistant");
      }
    }
    int last = messages.size() - 1;
    if (turns.isEmpty() || turnsAt.getLast() != last || !isUser(turns.getLast())) {
      throw OpenAiError.refused(
          "messages[" + last + "]",
          "invalid_value",
          "the last message is not a user's with a text; it is the question that is answered");
    }
    Turn question = turns.removeLast();
    if (question.text().length() > MAX_QUESTION) {
      throw OpenAiError.refused(
          "messages[" + last + "].content",
          "context_length_exceeded",
          "the question has more than %d characters; ask in less".formatted(MAX_QUESTION));
    }
    Conversation conversation = Conversation.newest(turns);
    if (conversation.dropped() > 0) {
      ignored.add("messages[.." + turnsAt.get(conversation.dropped() - 1) + "]");
    }
    return new ChatMessages(question.text(), conversation.turns(), ignored);
  }

  private static boolean isUser(Turn turn) {
    return turn.speaker() == Turn.Speaker.USER;
  }

  private static Turn.Speaker speaker(String role) {
    return role.equals("user") ? Turn.Speaker.USER : Turn.Speaker.ASSISTANT;
  }

  private static String text(JsonNode message, String where, boolean assistant)
      throws RefusedException {
    if (!message.path("tool_calls").isEmpty() || message.path("function_call").isObject()) {
      throw OpenAiError.refused(
          where + ".tool_calls", "unsupported_value", "a journey calls no tools of its caller's");
    }
    JsonNode content = message.path("content");
    if (content.isTextual()) {
      return content.textValue();
    }
    if (assistant && (content.isNull() || content.isMissingNode())) {
      return message.path("refusal").asText("");
    }
    if (!content.isArray()) {
      throw OpenAiError.refused(
          where + ".content",
          "invalid_type",
          where + ".content is neither a string nor a list of text parts");
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < content.size(); i++) {
      JsonNode part = content.get(i);
      String type = part.path("type").asText();
      if ((!type.equals("text") && !type.equals("refusal")) || !part.path(type).isTextual()) {
        throw OpenAiError.refused(
            where + ".content[" + i + "]",
            "unsupported_content",
            "%s.content[%d] is of type \"%s\"; a journey reads text parts only"
                .formatted(where, i, RequestJson.shortened(type)));
      }
      text.append(text.isEmpty() ? "" : "\n").append(part.path(type).textValue());
    }
    return text.toString();
  }
}
