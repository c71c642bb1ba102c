package dev.ragjourney.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Hands queries on to a server, answers back, and counts both. */
final class CountingProxy implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final URI server;
  private final HttpServer http;
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger queries = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();

  CountingProxy(URI server) throws IOException {
    this.server = server;
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", this::handOn);
    http.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  void reset() {
    queries.set(0);
    bytes.set(0);
    longest.set(0);
  }

  int queries() {
    return queries.get();
  }

  /** Of all answers. */
  long bytes() {
    return bytes.get();
  }

  /** Of one answer. */
  long longest() {
    return longest.get();
  }

  private void handOn(HttpExchange exchange) throws IOException {
    queries.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(exchange.getRequestURI()))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
            .build();
    try (exchange) {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      exchange
          .getResponseHeaders()
          .add("content-type", response.headers().firstValue("content-type").orElse(""));
      exchange.sendResponseHeaders(response.statusCode(), 0);
      try (InputStream in = response.body();
          OutputStream out = exchange.getResponseBody()) {
        byte[] buffer = new byte[BUFFER];
        long length = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          bytes.addAndGet(read);
          length += read;
          out.write(buffer, 0, read);
        }
        longest.accumulateAndGet(length, Math::max);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    http.stop(0);
    client.shutdownNow();
  }
}
