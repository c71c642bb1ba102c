package dev.ragjourney.support.scripted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the answer of each protocol, whole or wrong in the way asked for. */
final class Answers {
  static final JsonMapper JSON =
      JsonMapper.builder().disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS).build();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEFAULT_DIMENSION = 384;
  private static final String NOT_JSON = "<html>\u0000 not { json";

  private Answers() {}

  /**
   * @throws IllegalArgumentException if the request is not what the protocol wants
   */
  static Reply reply(
      Protocol protocol, String body, Behaviour behaviour, Fault.@Nullable Kind wrong) {
    JsonNode request = protocol == Protocol.TOOL ? NODES.objectNode() : parse(body);
    if (protocol == Protocol.CHAT && request.path("stream").asBoolean()) {
      return Reply.events(ChatStream.events(request, completion(request, behaviour), wrong));
    }
    if (wrong == Fault.Kind.ERROR_SHAPED_200) {
      boolean qdrant = protocol == Protocol.QDRANT;
      return Reply.json(qdrant ? QdrantAnswers.error("scripted failure") : error("server_error"));
    }
    if (wrong == Fault.Kind.GARBAGE) {
      return Reply.json(NOT_JSON);
    }
    String whole = write(answer(protocol, request, behaviour, wrong));
    return Reply.json(
        wrong == Fault.Kind.TRUNCATED_JSON ? whole.substring(0, whole.length() / 2) : whole);
  }

  static String error(String type) {
    ObjectNode error = NODES.objectNode();
    error.putObject("error").put("message", "scripted failure").put("type", type);
    return write(error);
  }

  static String write(JsonNode node) {
    try {
      return JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode parse(String body) {
    try {
      JsonNode request = JSON.readTree(body);
      if (!request.isObject()) {
        throw new IllegalArgumentException("the request is no JSON object");
      }
      return request;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the request is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static JsonNode answer(
      Protocol protocol, JsonNode request, Behaviour behaviour, Fault.@Nullable Kind wrong) {
    ObjectNode answer = NODES.objectNode();
    switch (protocol) {
      case CHAT -> chat(answer, completion(request, behaviour), wrong);
      case EMBEDDINGS -> {
        ObjectNode data = answer.put("object", "list").putArray("data").addObject();
        data.put("object", "embedding").put("index", 0);
        data.set("embedding", vector(text(request, "input"), request, behaviour, wrong));
        answer.put("model", request.path("model").asText());
        answer.putObject("usage").put("prompt_tokens", 3).put("total_tokens", 3);
      }
      case COHERE_RERANK, JINA_RERANK ->
          answer.set("results", rerank(request, "documents", "relevance_score", wrong));
      case TEI_RERANK -> {
        return rerank(request, "texts", "score", wrong);
      }
      case TEI_EMBED -> {
        ArrayNode vectors = NODES.arrayNode();
        vectors.add(vector(text(request, "inputs"), request, behaviour, wrong));
        return vectors;
      }
      case QDRANT -> {
        return QdrantAnswers.found(request, wrong);
      }
      case SEARCH -> answer.set("passages", search(request, wrong));
      case AZURE_SEARCH -> answer.set("value", azureSearch(request, wrong));
      case HTTP_RERANK -> answer.set("results", rerankById(request, wrong));
      case REWRITE -> {
        String question = text(request, "question");
        String rewritten = behaviour.text() == null ? question : behaviour.text();
        answer.put("question", wrong == Fault.Kind.EMPTY ? "" : rewritten);
      }
      case TOOL -> {
        String said = behaviour.text() == null ? "rain" : behaviour.text();
        answer.put("text", wrong == Fault.Kind.EMPTY ? "" : said);
        answer.putObject("result").put("degrees", 12).putArray("days").add("mon").add("tue");
      }
      case HTTP_EMBED ->
          answer.set("embedding", vector(text(request, "input"), request, behaviour, wrong));
    }
    return answer;
  }

  private static void chat(ObjectNode answer, String text, Fault.@Nullable Kind wrong) {
    answer.put("id", "scripted").put("object", "chat.completion").put("created", 1);
    answer.put("model", "scripted");
    ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
    choice
        .putObject("message")
        .put("role", "assistant")
        .put("content", wrong == Fault.Kind.EMPTY ? "" : text);
    if (wrong != Fault.Kind.NO_FINISH_REASON) {
      choice.put("finish_reason", "stop");
    }
    answer
        .putObject("usage")
        .put("prompt_tokens", 7)
        .put("completion_tokens", ChatStream.tokens(text).size())
        .put("total_tokens", 7 + ChatStream.tokens(text).size());
  }

  /** The scripted text, or one that quotes the end of the last message. */
  private static String completion(JsonNode request, Behaviour behaviour) {
    if (behaviour.text() != null) {
      return behaviour.text();
    }
    JsonNode messages = request.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      throw new IllegalArgumentException("messages is missing");
    }
    String last = text(messages.get(messages.size() - 1), "content");
    String end = last.substring(Math.max(0, last.length() - 120)).strip();
    return "A scripted model answers from [1]: " + end;
  }

  private static ArrayNode search(JsonNode request, Fault.@Nullable Kind wrong) {
    String question = text(request, "question");
    ArrayNode passages = NODES.arrayNode();
    if (wrong == Fault.Kind.EMPTY) {
      return passages;
    }
    for (Corpus.Hit hit : Corpus.search(question, request.path("topK").asInt(10))) {
      ObjectNode passage = passages.addObject();
      passage.put("id", hit.entry().id()).put("title", hit.entry().title());
      passage.put("text", hit.entry().text());
      passage.set("score", number(hit.score(), passages.size() == 1 ? wrong : null));
    }
    return passages;
  }

  private static ArrayNode azureSearch(JsonNode request, Fault.@Nullable Kind wrong) {
    ArrayNode documents = NODES.arrayNode();
    if (wrong == Fault.Kind.EMPTY) {
      return documents;
    }
    boolean ranked = request.path("queryType").asText().equals("semantic");
    for (Corpus.Hit hit : Corpus.search(text(request, "search"), request.path("top").asInt(50))) {
      ObjectNode document = documents.addObject();
      document.put("id", hit.entry().id()).put("content", hit.entry().text());
      document.put("title", hit.entry().title());
      document.set("@search.score", number(hit.score(), documents.size() == 1 ? wrong : null));
      if (ranked) {
        document.set(
            "@search.rerankerScore", number(4 * hit.score(), documents.size() == 1 ? wrong : null));
      }
    }
    return documents;
  }

  private static ArrayNode rerank(
      JsonNode request, String field, String scoreField, Fault.@Nullable Kind wrong) {
    String query = text(request, "query");
    List<String> texts = new ArrayList<>();
    request.path(field).forEach(each -> texts.add(each.asText()));
    ArrayNode results = NODES.arrayNode();
    for (int i : kept(texts.size(), wrong)) {
      ObjectNode result = results.addObject();
      result.put("index", i);
      double score = i < texts.size() ? Corpus.likeness(query, texts.get(i)) : 1;
      result.set(scoreField, number(score, results.size() == 1 ? wrong : null));
    }
    return results;
  }

  private static ArrayNode rerankById(JsonNode request, Fault.@Nullable Kind wrong) {
    String question = text(request, "question");
    JsonNode passages = request.path("passages");
    ArrayNode results = NODES.arrayNode();
    for (int i : kept(passages.size(), wrong)) {
      ObjectNode result = results.addObject();
      JsonNode passage = passages.path(i);
      result.put("id", i < passages.size() ? text(passage, "id") : "not-asked-about");
      double score = Corpus.likeness(question, passage.path("text").asText());
      result.set("score", number(score, results.size() == 1 ? wrong : null));
    }
    return results;
  }

  /** Indices to answer about. */
  private static List<Integer> kept(int size, Fault.@Nullable Kind wrong) {
    List<Integer> indices = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      indices.add(i);
    }
    if (wrong == Fault.Kind.EMPTY) {
      return List.of();
    }
    if (wrong == Fault.Kind.MISSING_RESULT) {
      indices.removeLast();
    } else if (wrong == Fault.Kind.BAD_INDEX) {
      indices.set(size - 1, size);
    } else if (wrong == Fault.Kind.DUPLICATE_RESULT) {
      indices.set(size - 1, 0);
    }
    return indices;
  }

  private static ArrayNode vector(
      String input, JsonNode request, Behaviour behaviour, Fault.@Nullable Kind wrong) {
    int dimension = behaviour.dimension();
    if (dimension == 0) {
      dimension = request.path("dimensions").asInt(DEFAULT_DIMENSION);
    }
    ArrayNode vector = NODES.arrayNode();
    if (wrong == Fault.Kind.EMPTY) {
      return vector;
    }
    int sent = wrong == Fault.Kind.WRONG_DIMENSION ? dimension - 1 : dimension;
    float[] components = Corpus.vector(input, dimension);
    for (int i = 0; i < sent; i++) {
      vector.add(number(components[i], i == 0 ? wrong : null));
    }
    return vector;
  }

  static JsonNode number(double value, Fault.@Nullable Kind wrong) {
    if (wrong == Fault.Kind.NOT_A_NUMBER) {
      return DoubleNode.valueOf(Double.NaN);
    }
    if (wrong == Fault.Kind.INFINITE_NUMBER) {
      return DecimalNode.valueOf(new BigDecimal("1e999"));
    }
    return DoubleNode.valueOf(value);
  }

  private static String text(JsonNode request, String field) {
    JsonNode value = request.path(field);
    if (value.isArray() && value.size() == 1) {
      value = value.get(0);
    }
    if (!value.isTextual()) {
      throw new IllegalArgumentException(field + " is missing or no text");
    }
    return value.asText();
  }
}
