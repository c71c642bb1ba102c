package dev.ragjourney.backends.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import dev.ragjourney.pipeline.SearchQuery;
import dev.ragjourney.pipeline.Turn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The journey's own protocol, one JSON object each way.
 *
 * <ul>
 *   <li>Search: {@code {"question", "topK", "keywordOnly", "vector"?, "remainingMs"}} → {@code
 *       {"passages": [{"id", "title"?, "text", "score"}]}}
 *   <li>Rerank: {@code {"question", "passages": [{"id", "title", "text"}], "remainingMs"}} → {@code
 *       {"results": [{"id", "score"}]}}, one result for each passage
 *   <li>Rewrite: {@code {"question", "earlier"?: [{"role", "text"}], "instructions",
 *       "remainingMs"}} → {@code {"question"}}; earlier is the conversation before the question,
 *       oldest first
 *   <li>Tool: see {@link ToolProtocol}
 *   <li>Embed: {@code {"input"}} → {@code {"embedding": […]}}
 * </ul>
 */
final class JourneyJson {
  /** A longer search query is a model that talks instead of rewriting. */
  static final int MAX_QUESTION = 2000;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JourneyJson() {}

  static ObjectNode searchRequest(SearchQuery query, long remainingMillis) {
    ObjectNode request = NODES.objectNode().put("question", query.text());
    request.put("topK", query.topK()).put("keywordOnly", query.keywordOnly());
    float[] vector = query.vector();
    if (vector != null && !query.keywordOnly()) {
      ArrayNode components = request.putArray("vector");
      for (float component : vector) {
        components.add(component);
      }
    }
    return request.put("remainingMs", remainingMillis);
  }

  /** At most {@code topK} passages, best first. */
  static PassagesFound searchAnswer(String backend, JsonNode answer, int topK)
      throws BackendException {
    JsonNode passages = answer.path("passages");
    if (!passages.isArray()) {
      throw Failures.invalid(backend, "the answer has no list \"passages\"");
    }
    List<Passage> found = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < passages.size(); i++) {
      JsonNode passage = passages.get(i);
      String where = "passages[" + i + "]";
      String id = text(backend, passage, where, "id");
      String title = passage.hasNonNull("title") ? passage.get("title").asText() : "";
      String text = text(backend, passage, where, "text");
      if (!ids.add(id)) {
        throw Failures.invalid(backend, where + ".id is there already");
      }
      found.add(new Passage(id, title, text, score(backend, passage, where)));
    }
    found.sort(Comparator.comparingDouble(Passage::score).reversed());
    return PassagesFound.whole(found.subList(0, Math.min(topK, found.size())));
  }

  static ObjectNode rerankRequest(String question, List<Passage> passages, long remainingMillis) {
    ObjectNode request = NODES.objectNode().put("question", question);
    ArrayNode sent = request.putArray("passages");
    for (Passage passage : passages) {
      sent.addObject()
          .put("id", passage.id())
          .put("title", passage.title())
          .put("text", passage.text());
    }
    return request.put("remainingMs", remainingMillis);
  }

  static PassagesFound rerankAnswer(String backend, JsonNode answer, List<Passage> passages)
      throws BackendException {
    JsonNode results = answer.path("results");
    if (!results.isArray()) {
      throw Failures.invalid(backend, "the answer has no list \"results\"");
    }
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < passages.size(); i++) {
      indices.put(passages.get(i).id(), i);
    }
    Ranking ranking = new Ranking(backend, passages);
    for (int i = 0; i < results.size(); i++) {
      String where = "results[" + i + "]";
      Integer index = indices.get(text(backend, results.get(i), where, "id"));
      if (index == null) {
        throw Failures.invalid(backend, where + ".id is of no passage that was sent");
      }
      ranking.score(index, score(backend, results.get(i), where));
    }
    return ranking.found();
  }

  static ObjectNode rewriteRequest(
      String question, List<Turn> earlier, String instructions, long remainingMillis) {
    ObjectNode request = NODES.objectNode().put("question", question);
    if (!earlier.isEmpty()) {
      ArrayNode turns = request.putArray("earlier");
      earlier.forEach(
          turn -> turns.addObject().put("role", turn.speaker().label()).put("text", turn.text()));
    }
    return request.put("instructions", instructions).put("remainingMs", remainingMillis);
  }

  static String rewriteAnswer(String backend, JsonNode answer) throws BackendException {
    String question = text(backend, answer, "the answer", "question").strip();
    if (question.length() > MAX_QUESTION) {
      throw Failures.invalid(
          backend, "a question of " + question.length() + " characters, at most " + MAX_QUESTION);
    }
    return question;
  }

  static ObjectNode embedRequest(String input) {
    return NODES.objectNode().put("input", input);
  }

  private static double score(String backend, JsonNode of, String where) throws BackendException {
    JsonNode score = of.path("score");
    if (!score.isNumber() || !Double.isFinite(score.doubleValue())) {
      throw Failures.invalid(backend, where + ".score is no finite number");
    }
    return score.doubleValue();
  }

  private static String text(String backend, JsonNode of, String where, String field)
      throws BackendException {
    JsonNode value = of.path(field);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw Failures.invalid(backend, where + "." + field + " is missing or blank");
    }
    return value.asText();
  }
}
