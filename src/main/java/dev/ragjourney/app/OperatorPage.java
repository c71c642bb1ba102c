package dev.ragjourney.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** {@code /livez}, {@code /readyz} and {@code /metrics} of the operator. */
final class OperatorPage implements AutoCloseable {
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param live whether the process works
   * @param ready whether it does its work, or could
   */
  OperatorPage(int port, BooleanSupplier live, BooleanSupplier ready, CollectorRegistry registry)
      throws IOException {
    http = HttpServer.create(new InetSocketAddress(port), 0);
    http.setExecutor(threads);
    http.createContext("/livez", exchange -> health(exchange, live));
    http.createContext("/readyz", exchange -> health(exchange, ready));
    http.createContext("/metrics", exchange -> metrics(exchange, registry));
    http.start();
  }

  int port() {
    return http.getAddress().getPort();
  }

  private static void health(HttpExchange exchange, BooleanSupplier healthy) throws IOException {
    boolean well = healthy.getAsBoolean();
    Reply.send(exchange, well ? 200 : 503, "text/plain", well ? "ok\n" : "not yet\n");
  }

  private static void metrics(HttpExchange exchange, CollectorRegistry registry)
      throws IOException {
    String type = TextFormat.chooseContentType(exchange.getRequestHeaders().getFirst("Accept"));
    StringWriter text = new StringWriter();
    TextFormat.writeFormat(type, text, registry.metricFamilySamples());
    Reply.send(exchange, 200, type, text.toString());
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
