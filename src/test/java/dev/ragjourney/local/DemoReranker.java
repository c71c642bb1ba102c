package dev.ragjourney.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ragjourney.budget.Durations;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * The demo's rerank service, with a knob: {@code POST /slow?by=300ms} makes every answer that much
 * later, {@code POST /slow?by=0ms} ends it. Scores are the share of the question's words that a
 * passage holds, rare words counting more: log(1 + n / passages with the word).
 */
final class DemoReranker implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private volatile Duration delay = Duration.ZERO;

  DemoReranker() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/rerank", this::rerank);
    server.createContext("/slow", this::slow);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void slow(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    try {
      delay = Durations.parse(query == null ? "" : query.replaceFirst("^by=", ""));
      answer(exchange, 200, "rerank answers " + Durations.format(delay) + " later\n");
    } catch (IllegalArgumentException e) {
      answer(exchange, 400, e.getMessage() + "\n");
    }
  }

  private void rerank(HttpExchange exchange) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody());
    try {
      Thread.sleep(delay.plusMillis(5)); // the behaviour under test: a slow service
    } catch (InterruptedException e) {
      exchange.close();
      return;
    }
    ObjectNode body = JSON.createObjectNode();
    ArrayNode results = body.putArray("results");
    scores(request).forEach((id, score) -> results.addObject().put("id", id).put("score", score));
    answer(exchange, 200, body.toString());
  }

  private static Map<String, Double> scores(JsonNode request) {
    Map<String, Set<String>> words = new HashMap<>();
    for (JsonNode passage : request.path("passages")) {
      words.put(
          passage.path("id").asText(),
          words(passage.path("title").asText() + " " + passage.path("text").asText()));
    }
    Map<String, Double> weights = new HashMap<>();
    for (String word : words(request.path("question").asText())) {
      long holders = words.values().stream().filter(passage -> passage.contains(word)).count();
      weights.put(word, Math.log(1 + words.size() / (double) Math.max(1, holders)));
    }
    double all = weights.values().stream().mapToDouble(w -> w).sum();
    Map<String, Double> scores = new HashMap<>();
    words.forEach(
        (id, passage) ->
            scores.put(
                id,
                all == 0
                    ? 0
                    : weights.entrySet().stream()
                            .filter(weight -> passage.contains(weight.getKey()))
                            .mapToDouble(Map.Entry::getValue)
                            .sum()
                        / all));
    return scores;
  }

  private static Set<String> words(String text) {
    return new HashSet<>(List.of(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+")));
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
