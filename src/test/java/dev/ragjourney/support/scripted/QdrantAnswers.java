package dev.ragjourney.support.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Points as Qdrant gives them, the first one the best. A scripted server embeds nothing: whatever
 * the vector, the handbook's sentences come in their order, every other one with a UUID.
 */
final class QdrantAnswers {
  private static final String UUID = "9c27a4f0-1111-4222-8333-%012d";

  private QdrantAnswers() {}

  static JsonNode found(JsonNode request, Fault.@Nullable Kind wrong) {
    JsonNode vector = request.path("query");
    if (!vector.isArray() || vector.isEmpty()) {
      throw new IllegalArgumentException("query is missing or no vector");
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode points = answer.putObject("result").putArray("points");
    answer.put("status", "ok").put("time", 0.001);
    if (wrong == Fault.Kind.EMPTY) {
      return answer;
    }
    List<Corpus.Hit> hits = Corpus.search("", request.path("limit").asInt());
    for (int i = 0; i < hits.size(); i++) {
      ObjectNode point = points.addObject();
      int id = wrong == Fault.Kind.DUPLICATE_RESULT ? 0 : i;
      if (id % 2 == 0) {
        point.put("id", id);
      } else {
        point.put("id", UUID.formatted(id));
      }
      point.put("version", 3);
      point.set("score", Answers.number(1 - i * 0.01, i == 0 ? wrong : null));
      payload(point.putObject("payload"), hits.get(i).entry(), request.path("with_payload"));
    }
    return answer;
  }

  /** Only what is asked for; a dot leads into a nested object. */
  private static void payload(ObjectNode payload, Corpus.Entry entry, JsonNode wanted) {
    for (JsonNode each : wanted) {
      String[] path = each.asText().split("\\.");
      ObjectNode inner = payload;
      for (int i = 0; i < path.length - 1; i++) {
        inner = inner.withObjectProperty(path[i]);
      }
      String last = path[path.length - 1];
      if (last.equals("content")) {
        inner.put(last, entry.text());
      } else if (last.equals("title")) {
        inner.put(last, entry.title());
      }
    }
  }

  static String error(String sentence) {
    ObjectNode error = JsonNodeFactory.instance.objectNode();
    error.putObject("status").put("error", sentence);
    return Answers.write(error.put("time", 0.001));
  }
}
