package dev.ragjourney.support.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A Kubernetes API server in this process: objects in memory, plain HTTP on loopback. It serves
 * list, watch, server-side apply, the other patches, status subresources, owner-reference garbage
 * collection, discovery and printed tables; it validates nothing against schemas and runs no
 * controllers.
 */
public final class EmbeddedApiServer implements AutoCloseable {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final ObjectMapper YAML = YAMLMapper.builder().build();

  private final ObjectStore store = new ObjectStore();
  private final ResourceTypes types = new ResourceTypes();
  private final ApiHandler handler = new ApiHandler(store, types);
  private final Discovery discovery = new Discovery(types);
  private final RequestLog log = new RequestLog();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer http;
  private final Map<String, ApiFailure> refusals = new ConcurrentHashMap<>();
  private final AtomicInteger operatorWrites = new AtomicInteger(Integer.MAX_VALUE);
  private volatile boolean open = true;
  private volatile WatchFault watchFault = WatchFault.NONE;
  private final AtomicInteger expired = new AtomicInteger();

  private EmbeddedApiServer(int port) throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
    http.setExecutor(threads);
    http.createContext("/", this::serve);
    http.start();
    createNamespace("default");
    createNamespace("kube-system");
  }

  /** Starts on a free port with the CRDs of {@code crds/} in place. */
  public static EmbeddedApiServer start() {
    return start(0);
  }

  public static EmbeddedApiServer start(int port) {
    try {
      EmbeddedApiServer server = new EmbeddedApiServer(port);
      server.define(Path.of("crds"));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  public RequestLog requests() {
    return log;
  }

  /** From now on writes of this kind are refused, as an admission policy would. */
  public void refuse(String kind, int code, String message) {
    refusals.put(kind, new ApiFailure(code, code == 422 ? "Invalid" : "Forbidden", message));
  }

  /**
   * From now on so many writes of the operator are taken and no later one, as if it had been killed
   * after the last of them. Deletions name no manager and count as the operator's; it deletes no
   * pods.
   */
  public void takeOperatorWrites(int most) {
    operatorWrites.set(most);
  }

  /** From now on watches tell what happens in this way. */
  public void watches(WatchFault fault) {
    watchFault = fault;
  }

  /** Ends every watch as one whose version is too old, so that its client lists again. */
  public void expireWatches() {
    expired.incrementAndGet();
  }

  /** Refuses nothing any more. */
  public void allowAll() {
    refusals.clear();
  }

  /** A kubeconfig that reaches this server; no credentials are needed. */
  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: embedded
          cluster: {server: "%s"}
        users:
        - name: developer
          user: {}
        contexts:
        - name: embedded
          context: {cluster: embedded, user: developer, namespace: default}
        current-context: embedded
        """
        .formatted(url());
  }

  /** A client of this server; the caller closes it. */
  public KubernetesClient client() {
    return new KubernetesClientBuilder().withConfig(config()).build();
  }

  /** What reaches this server. */
  public Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(url())
        .withNamespace("default")
        .withTrustCerts(true)
        .build();
  }

  /** Creates the namespace unless it is there. */
  public void createNamespace(String name) {
    ResourceType type = types.find("v1", "namespaces").orElseThrow();
    ObjectNode namespace = JsonNodeFactory.instance.objectNode();
    namespace.withObject("/status").put("phase", "Active");
    store.write(
        new ObjectKey(type, "", name), (current, owners) -> current == null ? namespace : null);
  }

  private void define(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    ResourceType type =
        types.find("apiextensions.k8s.io/v1", "customresourcedefinitions").orElseThrow();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().matches(".*\\.ya?ml")).sorted().toList()) {
        ObjectNode definition = (ObjectNode) YAML.readTree(Files.readString(file));
        ApiRequest create =
            new ApiRequest("POST", type, "", "", "", Map.of("fieldManager", "setup"));
        handler.handle(create, "application/json", definition);
      }
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      String accept = header(exchange, "Accept");
      Optional<ObjectNode> found =
          method.equals("GET")
              ? discovery.answer(exchange.getRequestURI().getPath())
              : Optional.empty();
      if (found.isPresent()) {
        send(exchange, 200, found.get());
        return;
      }
      Optional<ApiRequest> parsed = ApiRequest.parse(method, exchange.getRequestURI(), types);
      if (parsed.isEmpty()) {
        send(
            exchange,
            404,
            new ApiFailure(404, "NotFound", "the server could not find the requested resource")
                .status());
        return;
      }
      ApiRequest request = parsed.get();
      boolean table = accept.contains("as=Table");
      if (request.watch()) {
        watch(exchange, request, table);
      } else {
        answer(exchange, request, table);
      }
    }
  }

  private void watch(HttpExchange exchange, ApiRequest request, boolean table) throws IOException {
    if (header(exchange, "Upgrade").equalsIgnoreCase("websocket")) {
      // A handshake answered with 200 makes the client fall back to a plain stream at once.
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush();
      int before = expired.get();
      new WatchStream(store, handler, request, table, () -> watchFault)
          .run(out, () -> open, () -> expired.get() != before);
    }
  }

  private void answer(HttpExchange exchange, ApiRequest request, boolean table) throws IOException {
    String contentType = header(exchange, "Content-Type");
    long versionBefore = store.version();
    int code;
    ObjectNode result;
    try {
      if (byOperator(request) && operatorWrites.getAndDecrement() <= 0) {
        throw new ApiFailure(503, "ServiceUnavailable", "no write is taken from a dead operator");
      }
      ApiFailure refusal = refusals.get(request.type().kind());
      if (refusal != null && !request.method().equals("GET")) {
        throw refusal;
      }
      result = handler.handle(request, contentType, body(exchange));
      code = request.method().equals("POST") ? 201 : 200;
    } catch (ApiFailure failure) {
      code = failure.code();
      result = failure.status();
    } catch (RuntimeException e) {
      code = 500;
      result = new ApiFailure(500, "InternalError", e.toString()).status();
    }
    log.add(
        new RequestLog.Entry(
            request.method(),
            request.type().kind(),
            request.namespace(),
            request.name(),
            request.subresource(),
            request.parameter("fieldManager"),
            contentType,
            code,
            code < 300
                && result.path("metadata").path("resourceVersion").asLong() > versionBefore));
    boolean printed = table && code == 200 && request.method().equals("GET");
    send(exchange, code, printed ? Tables.of(request.type(), result, Instant.now()) : result);
  }

  private static boolean byOperator(ApiRequest request) {
    return (request.method().equals("DELETE") && !request.type().kind().equals("Pod"))
        || (!request.method().equals("GET")
            && request.parameter("fieldManager").startsWith("ragjourney-"));
  }

  private static JsonNode body(HttpExchange exchange) throws IOException {
    byte[] bytes = exchange.getRequestBody().readAllBytes();
    if (bytes.length == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (header(exchange, "Content-Type").contains("protobuf")) {
      throw new ApiFailure(
          415, "UnsupportedMediaType", "send JSON or YAML, for example with kubectl apply -f");
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean json = text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[");
    try {
      return (json ? JSON : YAML).readTree(text);
    } catch (IOException e) {
      throw ApiFailure.badRequest("cannot read the body: " + e.getMessage());
    }
  }

  private static void send(HttpExchange exchange, int code, ObjectNode body) throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(body);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  @Override
  public void close() {
    open = false;
    http.stop(0);
    threads.shutdownNow();
  }
}
