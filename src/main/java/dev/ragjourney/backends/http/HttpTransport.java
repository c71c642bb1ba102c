package dev.ragjourney.backends.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.plan.BackendPlan;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * One backend's HTTP client. A call that is cut off closes its connection; nothing is retried and
 * no redirect is followed; what is read is bounded.
 */
public final class HttpTransport implements AutoCloseable {
  /** The most bytes of an answer that is not a stream. */
  static final int MAX_BODY = 8 << 20;

  /** Bytes of an error's body that are looked at for its code. */
  private static final int MAX_ERROR_BODY = 64 << 10;

  /** A call with less left is over: no server answers in that time. */
  private static final long LEAST_NANOS = 1_000_000;

  /**
   * Beyond the end that a call was told of: whoever started it cuts it off, and may extend it. This
   * bounds only a call that everybody forgot.
   */
  private static final long BACKSTOP_NANOS = 60_000_000_000L;

  static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  static {
    // The JDK's client repeats a refused connection once; retries are explicit steps here.
    if (System.getProperty("jdk.httpclient.disableRetryConnect") == null) {
      System.setProperty("jdk.httpclient.disableRetryConnect", "true");
    }
  }

  private final String backend;
  private final CallHeaders headers;
  private final ErrorWords words;
  private final @Nullable Trust trust;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;

  private HttpTransport(
      BackendPlan plan,
      Path secretsDirectory,
      KeyHeader key,
      ErrorWords words,
      @Nullable HeaderValue bearer) {
    backend = plan.name();
    this.words = words;
    headers = new CallHeaders(plan, secretsDirectory, key, bearer);
    trust =
        plan.caFile() == null ? null : new Trust(new MountedFile(secretsDirectory, plan.caFile()));
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofMillis(plan.connectTimeoutMillis()))
            .executor(executor);
    if (trust != null) {
      builder.sslContext(trust.context());
    }
    client = builder.build();
  }

  /**
   * For a service that takes its key as a bearer's.
   *
   * @throws IllegalArgumentException if the plan's headers or files cannot be used, with the field
   *     and what would be right
   */
  public static HttpTransport open(BackendPlan plan, Path secretsDirectory) {
    return open(plan, secretsDirectory, KeyHeader.BEARER, ErrorWords.NONE);
  }

  /**
   * @throws IllegalArgumentException if the plan's headers or files cannot be used, with the field
   *     and what would be right
   */
  public static HttpTransport open(
      BackendPlan plan, Path secretsDirectory, KeyHeader key, ErrorWords words) {
    return open(plan, secretsDirectory, key, words, null);
  }

  /** For a service that is shown a token instead of a key. */
  public static HttpTransport open(BackendPlan plan, Path secretsDirectory, HeaderValue bearer) {
    return open(plan, secretsDirectory, KeyHeader.BEARER, ErrorWords.NONE, bearer);
  }

  private static HttpTransport open(
      BackendPlan plan,
      Path secretsDirectory,
      KeyHeader key,
      ErrorWords words,
      @Nullable HeaderValue bearer) {
    if (plan.connectTimeoutMillis() < 1) {
      throw new IllegalArgumentException(
          "backends["
              + plan.name()
              + "].connectTimeout is "
              + plan.connectTimeoutMillis()
              + " ms, must be at least 1 ms");
    }
    return new HttpTransport(plan, secretsDirectory, key, words, bearer);
  }

  /** The backend's name, the first word of every message. */
  public String backend() {
    return backend;
  }

  /** What of the secrets is missing, one sentence each. */
  public List<String> missing() {
    long now = System.nanoTime();
    List<String> missing = new ArrayList<>(headers.missing(now));
    if (trust != null) {
      try {
        trust.refresh(now);
      } catch (BackendException e) {
        missing.add(String.valueOf(e.getMessage()));
      }
    }
    return List.copyOf(missing);
  }

  /**
   * Sends JSON and reads JSON.
   *
   * @return the answer to a 2xx, which is no error object
   */
  public JsonNode post(StageCall call, URI uri, JsonNode body)
      throws BackendException, CallCancelledException {
    return send(call, uri, "POST", body, Map.of());
  }

  /** As {@link #post}, with any method. */
  JsonNode send(StageCall call, URI uri, String method, JsonNode body, Map<String, String> extra)
      throws BackendException, CallCancelledException {
    byte[] bytes;
    try {
      bytes = JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return json(whole(call, request(call, uri, method, bytes, extra)));
  }

  /** As {@link #post}, without a body. */
  JsonNode get(StageCall call, URI uri, Map<String, String> extra)
      throws BackendException, CallCancelledException {
    return json(whole(call, request(call, uri, "GET", null, extra)));
  }

  private JsonNode json(byte[] body) throws BackendException {
    JsonNode answer;
    try {
      answer = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw Failures.invalid(backend, "the answer is no JSON");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
    if (answer.isMissingNode()) {
      throw Failures.invalid(backend, "the answer is empty");
    }
    if (Failures.errorIn(answer) != null) {
      String code = Failures.code(answer);
      throw Failures.invalid(
          backend, "an error with status 200" + (code == null ? "" : " (" + code + ")"));
    }
    return answer;
  }

  /**
   * Sends a document and reads the whole answer to a 2xx.
   *
   * @param extra headers of the adapter
   */
  public byte[] post(StageCall call, URI uri, byte[] body, Map<String, String> extra)
      throws BackendException, CallCancelledException {
    return whole(call, request(call, uri, "POST", body, extra));
  }

  private byte[] whole(StageCall call, HttpRequest request)
      throws BackendException, CallCancelledException {
    InFlight<byte[]> flight = new InFlight<>(backend, call, read -> {});
    HttpResponse<byte[]> response =
        flight.await(
            client.sendAsync(request, info -> new BoundedBody(MAX_BODY)), backstopNanos(call));
    if (response.statusCode() / 100 != 2) {
      throw failure(response, response.body());
    }
    return response.body();
  }

  /**
   * Sends a document and returns when the answer begins. The call's end is not watched here,
   * because a stream may outlive the moment its first token was due: whoever reads is interrupted,
   * or the call's cancellation closes the connection.
   *
   * @param extra headers of the adapter
   */
  public StreamedAnswer stream(StageCall call, URI uri, byte[] body, Map<String, String> extra)
      throws BackendException, CallCancelledException {
    HttpRequest request = request(call, uri, "POST", body, extra);
    InFlight<InputStream> flight = new InFlight<>(backend, call, InFlight::close);
    HttpResponse<InputStream> response =
        flight.await(
            client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream()),
            backstopNanos(call));
    flight.started(response.body());
    if (response.statusCode() / 100 != 2) {
      throw failure(response, errorBody(call, response.body()));
    }
    return new StreamedAnswer(response.body());
  }

  /** What it means that a started stream could not be read on. */
  public BackendException broken(IOException failure) {
    return Failures.ofConnection(backend, failure);
  }

  private HttpRequest request(
      StageCall call, URI uri, String method, byte @Nullable [] body, Map<String, String> extra)
      throws BackendException, CallCancelledException {
    if (call.cancellation().cancelled() || call.remainingNanos() < LEAST_NANOS) {
      throw new CallCancelledException();
    }
    if (trust != null) {
      trust.refresh(call.time().nanos());
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body))
            .setHeader("Accept", "application/json")
            .setHeader("User-Agent", "ragjourney");
    if (body != null) {
      request.setHeader("Content-Type", "application/json");
    }
    extra.forEach(request::setHeader);
    headers.apply(request, call);
    return request.build();
  }

  private static long backstopNanos(StageCall call) {
    return Math.max(call.remainingNanos(), call.journeyRemainingNanos()) + BACKSTOP_NANOS;
  }

  private byte[] errorBody(StageCall call, InputStream body) throws CallCancelledException {
    try (body) {
      return body.readNBytes(MAX_ERROR_BODY);
    } catch (IOException e) {
      if (call.cancellation().cancelled() || Thread.currentThread().isInterrupted()) {
        throw new CallCancelledException();
      }
      return new byte[0];
    }
  }

  private BackendException failure(HttpResponse<?> response, byte[] body) {
    JsonNode parsed;
    try {
      parsed = JSON.readTree(body);
    } catch (IOException e) {
      parsed = null;
    }
    Optional<String> retryAfter = response.headers().firstValue("retry-after");
    return Failures.ofStatus(
        backend, response.statusCode(), retryAfter.orElse(null), parsed, words);
  }

  @Override
  public void close() {
    client.shutdownNow();
    executor.shutdownNow();
  }
}
