package dev.ragjourney.bench;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Requests to an API server, by verb and kind, when they were answered. */
final class CountedCalls implements Interceptor {
  private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

  @Override
  public void after(
      HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> body) {
    calls
        .computeIfAbsent(
            verb(request) + " " + resource(request.uri().getPath()), key -> new LongAdder())
        .increment();
  }

  private static String verb(HttpRequest request) {
    String query = request.uri().getQuery();
    if (query != null && query.contains("watch=true")) {
      return "watch";
    }
    if (!request.method().equals("GET")) {
      return request.method().toLowerCase(java.util.Locale.ROOT);
    }
    return named(request.uri().getPath()) ? "get" : "list";
  }

  /** {@code …/namespaces/N/KIND/NAME} */
  private static boolean named(String path) {
    String[] parts = path.split("/");
    int namespaces = List.of(parts).indexOf("namespaces");
    return namespaces < 0 || parts.length > namespaces + 3;
  }

  private static String resource(String path) {
    String[] parts = path.split("/");
    int namespaces = List.of(parts).indexOf("namespaces");
    if (namespaces < 0 || parts.length < namespaces + 3) {
      return parts[parts.length - 1];
    }
    return parts[namespaces + 2] + (path.endsWith("/status") ? "/status" : "");
  }

  long of(String call) {
    LongAdder count = calls.get(call);
    return count == null ? 0 : count.sum();
  }

  /** Those since the last time. */
  Map<String, Long> take() {
    Map<String, Long> taken = new TreeMap<>();
    calls.forEach(
        (call, count) -> {
          long number = count.sumThenReset();
          if (number > 0) {
            taken.put(call, number);
          }
        });
    return taken;
  }
}
