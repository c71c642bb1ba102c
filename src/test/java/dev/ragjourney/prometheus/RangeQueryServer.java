package dev.ragjourney.prometheus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A server that answers range queries as it is told, below a path of its own. */
final class RangeQueryServer implements AutoCloseable {
  static final String EMPTY =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

  /** Each exchange has a thread of its own; attributes of exchanges are common to all of them. */
  private static final ThreadLocal<String> FORM = new ThreadLocal<>();

  private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
  private final Queue<String> forms = new ConcurrentLinkedQueue<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final HttpServer http;
  private volatile Answer answer = exchange -> json(exchange, 200, EMPTY);

  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  RangeQueryServer() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/prefix/api/v1/query_range", this::serve);
    http.start();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String authorization = exchange.getRequestHeaders().getFirst("authorization");
    authorizations.add(authorization == null ? "none" : authorization);
    String form =
        URLDecoder.decode(
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
            StandardCharsets.UTF_8);
    forms.add(form);
    FORM.set(form);
    answer.to(exchange);
  }

  /** From now on. */
  void answers(Answer like) {
    answer = like;
  }

  /** What was asked so far. */
  Queue<String> forms() {
    return forms;
  }

  /** What is asked, for who answers it. */
  static String form() {
    return FORM.get();
  }

  /** The credentials so far; {@code none} where there were none. */
  Queue<String> authorizations() {
    return authorizations;
  }

  PrometheusSettings settings() {
    return PrometheusSettings.of(
        URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/prefix"));
  }

  /** Answers nothing until the server is closed. */
  void hang() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void json(HttpExchange exchange, int status, String body) throws IOException {
    text(exchange, status, "application/json", body);
  }

  static void text(HttpExchange exchange, int status, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    released.countDown();
    http.stop(0);
  }
}
