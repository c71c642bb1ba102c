package dev.ragjourney.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * {@code GET} and {@code PUT /loglevel}, on the loopback address alone: who may forward a port of
 * the pod may change what it logs, and nobody else can reach it. A restart forgets the change.
 */
final class LogLevelPage implements AutoCloseable {
  /** The variable that names the port; 0 picks a free one. */
  private static final String PORT = "RAGJOURNEY_LOGLEVEL_PORT";

  private static final int DEFAULT_PORT = 8082;
  private static final int LONGEST_BODY = 4096;
  private static final List<String> LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR");
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final LoggerContext loggers;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private LogLevelPage(LoggerContext loggers, int port) throws IOException {
    this.loggers = loggers;
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.setExecutor(threads);
    http.createContext("/loglevel", this::serve);
    http.start();
  }

  /**
   * @throws IllegalArgumentException naming the variable, the value found and what would be right
   */
  static LogLevelPage start(Map<String, String> environment) throws IOException {
    return new LogLevelPage(
        (LoggerContext) LoggerFactory.getILoggerFactory(),
        Ports.read(environment, PORT, DEFAULT_PORT));
  }

  /** Nothing else depends on it: where the port is taken, the process runs without. */
  static @Nullable LogLevelPage tryStart(Map<String, String> environment) {
    try {
      return start(environment);
    } catch (IOException e) {
      LoggerFactory.getLogger(LogLevelPage.class)
          .warn("the log level cannot be changed at run time: {}", e.getMessage());
      return null;
    }
  }

  InetSocketAddress address() {
    return http.getAddress();
  }

  private void serve(HttpExchange exchange) throws IOException {
    switch (exchange.getRequestMethod()) {
      case "GET" -> send(exchange, 200, levels());
      case "PUT" -> put(exchange);
      default -> send(exchange, 405, problem("GET and PUT are known here"));
    }
  }

  private void put(HttpExchange exchange) throws IOException {
    JsonNode wanted;
    try {
      wanted = JSON.readTree(exchange.getRequestBody().readNBytes(LONGEST_BODY));
    } catch (JsonProcessingException e) {
      send(exchange, 400, problem("no JSON; write {\"level\": \"DEBUG\"}"));
      return;
    }
    String level = wanted.path("level").asText("");
    String name = wanted.path("logger").asText("");
    Logger logger = loggers.getLogger(name.isEmpty() ? Logger.ROOT_LOGGER_NAME : name);
    if (LEVELS.contains(level)) {
      logger.setLevel(Level.valueOf(level));
    } else if (level.isEmpty() && wanted.has("logger") && !name.isEmpty()) {
      logger.setLevel(null);
    } else {
      send(
          exchange,
          400,
          problem(
              "level is '%s'; one of %s is needed, or a logger alone to have it follow the root"
                  .formatted(level, String.join(", ", LEVELS))));
      return;
    }
    LoggerFactory.getLogger(LogLevelPage.class)
        .warn("the level of {} is {} now", logger.getName(), logger.getEffectiveLevel());
    send(exchange, 200, levels());
  }

  /** Every logger that has a level of its own. */
  private ObjectNode levels() {
    ObjectNode levels = JSON.createObjectNode();
    for (Logger logger : loggers.getLoggerList()) {
      if (logger.getLevel() != null) {
        levels.put(logger.getName(), logger.getLevel().toString());
      }
    }
    return levels;
  }

  private static ObjectNode problem(String sentence) {
    return JSON.createObjectNode().put("problem", sentence);
  }

  private static void send(HttpExchange exchange, int code, ObjectNode body) throws IOException {
    Reply.send(exchange, code, "application/json", body.toPrettyString() + "\n");
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
