package dev.ragjourney.support.scripted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes the script and tells what was seen, over HTTP.
 *
 * <ul>
 *   <li>{@code POST /script} {@code {"route": "search", "delayMs": 80, "sigma": 0.4, "faults":
 *       [{"kind": "HANG_BEFORE_HEADERS", "share": 0.01}]}} or an array of such: replaces the
 *       behaviour of those routes. A route is a protocol's name, a path prefix, or {@code *}.
 *   <li>{@code DELETE /script}: every route is plain again, nothing was seen.
 *   <li>{@code GET /script}: requests by path, endings, open connections.
 *   <li>{@code GET /script/last/PATH}: the body of the latest request of that path; 404 for none.
 *   <li>{@code GET /script/headers/PATH}: its headers, by their names in lower case.
 *   <li>{@code GET /healthz}: 200.
 * </ul>
 */
final class Control {
  private static final String LAST = "/script/last/";
  private static final String HEADERS = "/script/headers/";

  private final Script script;
  private final Ledger ledger;

  Control(Script script, Ledger ledger) {
    this.script = script;
    this.ledger = ledger;
  }

  boolean serves(HttpRequestReader.Request request) {
    return request.path().equals("/script")
        || request.path().startsWith(LAST)
        || request.path().startsWith(HEADERS)
        || request.path().equals("/healthz");
  }

  void answer(HttpRequestReader.Request request, ResponseWriter writer) throws IOException {
    if (request.path().equals("/healthz")) {
      writer.json("{\"status\":\"ok\"}");
      return;
    }
    if (request.path().startsWith(LAST)) {
      latest(request.path().substring(LAST.length() - 1), Exchange::body, writer);
      return;
    }
    if (request.path().startsWith(HEADERS)) {
      latest(
          request.path().substring(HEADERS.length() - 1),
          last -> Answers.write(Answers.JSON.valueToTree(last.headers())),
          writer);
      return;
    }
    switch (request.method()) {
      case "POST", "PUT" -> {
        try {
          apply(request.body());
        } catch (IllegalArgumentException e) {
          ObjectNode problem = Answers.JSON.createObjectNode().put("error", e.getMessage());
          writer.error(400, null, Answers.write(problem));
          return;
        }
        writer.json(seen());
      }
      case "DELETE" -> {
        script.clear();
        ledger.clear();
        writer.json(seen());
      }
      case "GET" -> writer.json(seen());
      default -> writer.error(405, null, Answers.error("method_not_allowed"));
    }
  }

  private void latest(String path, Function<Exchange, String> what, ResponseWriter writer)
      throws IOException {
    Optional<Exchange> last =
        ledger.exchanges().reversed().stream().filter(e -> e.path().equals(path)).findFirst();
    if (last.isPresent()) {
      writer.json(what.apply(last.get()));
    } else {
      writer.error(404, null, Answers.error("not_found"));
    }
  }

  /** Reads all of the script before any of it is put in force. */
  void apply(String json) {
    JsonNode root;
    try {
      root = Answers.JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the script is no JSON: " + e.getOriginalMessage(), e);
    }
    Map<String, Behaviour> behaviours = new LinkedHashMap<>();
    for (JsonNode each : root.isArray() ? root : Answers.JSON.createArrayNode().add(root)) {
      if (!each.path("route").isTextual()) {
        throw new IllegalArgumentException("route is missing: a protocol's name, a path or *");
      }
      ObjectNode behaviour = each.deepCopy();
      String route = behaviour.remove("route").asText();
      ScriptedBackend.requireRoute(route);
      behaviours.put(route, behaviour(route, behaviour));
    }
    behaviours.forEach(script::set);
  }

  private static Behaviour behaviour(String route, ObjectNode node) {
    try {
      return Answers.JSON.treeToValue(node, Behaviour.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("route " + route + ": " + e.getOriginalMessage(), e);
    }
  }

  private String seen() {
    ObjectNode seen = Answers.JSON.createObjectNode();
    seen.put("connectionsOpened", ledger.connectionsOpened());
    seen.put("connectionsOpen", ledger.connectionsOpen());
    ObjectNode requests = seen.putObject("requests");
    ledger.requests().forEach(requests::put);
    ObjectNode endings = seen.putObject("endings");
    for (Exchange exchange : ledger.exchanges()) {
      ObjectNode ofPath = endings.withObjectProperty(exchange.path());
      String ending = exchange.ending().name();
      ofPath.put(ending, ofPath.path(ending).asLong() + 1);
    }
    return Answers.write(seen);
  }
}
