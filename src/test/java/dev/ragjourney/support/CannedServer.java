package dev.ragjourney.support;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** Gives every request the answer it was told last, word for word, and keeps what it was sent. */
public final class CannedServer implements AutoCloseable {
  /**
   * One request.
   *
   * @param target path and query
   * @param headers whatever their case
   */
  public record Seen(String target, Headers headers, String body) {}

  private record Canned(int status, String contentType, String body, List<String> headers) {}

  private final HttpServer server;
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile Canned canned = new Canned(200, "application/json", "{}", List.of());

  private CannedServer(HttpServer server) {
    this.server = server;
  }

  /** Serves on a free port of the loopback address. */
  public static CannedServer start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    CannedServer canned = new CannedServer(server);
    server.createContext("/", canned::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return canned;
  }

  public URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  /**
   * @param headers names and values in turn
   */
  public void json(int status, String body, String... headers) {
    canned = new Canned(status, "application/json", body, List.of(headers));
  }

  /** Server-sent events, one for each of the data, and the mark of the end. */
  public void events(String... data) {
    String events = "data: " + String.join("\n\ndata: ", data) + "\n\ndata: [DONE]\n\n";
    canned = new Canned(200, "text/event-stream", events, List.of());
  }

  public List<Seen> seen() {
    return List.copyOf(seen);
  }

  public Seen onlyRequest() {
    if (seen.size() != 1) {
      throw new AssertionError("expected one request, saw " + seen.size());
    }
    return seen.getFirst();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      seen.add(new Seen(exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
      Canned now = canned;
      exchange.getResponseHeaders().set("Content-Type", now.contentType);
      for (int i = 0; i < now.headers.size(); i += 2) {
        exchange.getResponseHeaders().set(now.headers.get(i), now.headers.get(i + 1));
      }
      byte[] bytes = now.body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(now.status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
