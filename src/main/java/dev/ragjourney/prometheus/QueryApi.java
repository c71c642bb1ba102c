package dev.ragjourney.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Range queries over HTTP: one attempt each, no redirects, interruptible. */
final class QueryApi implements AutoCloseable {
  private static final int MOST_TOLD = 1_000;

  private final PrometheusSettings settings;
  private final URI endpoint;
  private byte[] trusted = {};
  private @Nullable HttpClient client;

  QueryApi(PrometheusSettings settings) {
    this.settings = settings;
    String base = settings.url().toString();
    this.endpoint = URI.create((base.endsWith("/") ? base : base + "/") + "api/v1/query_range");
  }

  /** The times of a range query's points: from start to end, both included. */
  record Range(Instant start, Instant end, Duration step) {}

  void query(String query, Range range, SeriesSink sink)
      throws QueryFailedException, InterruptedException {
    HttpRequest request = request(query, range);
    try {
      HttpResponse<InputStream> response =
          client().send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = new BoundedInput(response.body(), settings.maxResponseBytes())) {
        read(query, response, body, sink);
      }
    } catch (ConnectException e) {
      throw new QueryFailedException("no connection to " + endpoint);
    } catch (HttpTimeoutException e) {
      throw new QueryFailedException(late(query, settings.timeout()));
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      String message = e.getMessage();
      throw new QueryFailedException(
          endpoint + ": " + (message == null ? e.getClass().getSimpleName() : message));
    }
  }

  private void read(
      String query, HttpResponse<InputStream> response, InputStream body, SeriesSink sink)
      throws IOException, QueryFailedException {
    int status = response.statusCode();
    String type = response.headers().firstValue("content-type").orElse("");
    boolean json = type.startsWith("application/json");
    if (status != 200 && !json) {
      throw new QueryFailedException(endpoint + " answers with status " + status + hint(status));
    }
    if (!json) {
      throw new QueryFailedException(
          endpoint + " answers with content type '" + type + "' instead of application/json");
    }
    try {
      MatrixParser.parse(body, sink);
    } catch (QueryFailedException e) {
      throw new QueryFailedException(e.getMessage() + "; the query was: " + told(query));
    }
    if (status != 200) {
      throw new QueryFailedException(endpoint + " answers with status " + status + hint(status));
    }
  }

  String late(String query, Duration waited) {
    return "%s did not answer within %d ms; the query was: %s"
        .formatted(settings.url(), waited.toMillis(), told(query));
  }

  /** The text of a query with its list of journeys cut short, since it goes into a status. */
  private static String told(String query) {
    return query.length() <= MOST_TOLD
        ? query
        : query.substring(0, MOST_TOLD) + "… (%,d characters)".formatted(query.length());
  }

  private String hint(int status) {
    return status == 401 || status == 403 ? "; " + Authorization.question(settings) : "";
  }

  private HttpRequest request(String query, Range range) throws QueryFailedException {
    Map<String, String> form =
        new TreeMap<>(
            Map.of(
                "query", query,
                "start", seconds(range.start()),
                "end", seconds(range.end()),
                "step", BigDecimal.valueOf(range.step().toMillis(), 3).toPlainString(),
                "timeout", settings.timeout().toMillis() + "ms"));
    String body =
        form.entrySet().stream()
            .map(
                field ->
                    field.getKey()
                        + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint)
            .timeout(settings.timeout())
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    String authorization = Authorization.of(settings);
    if (authorization != null) {
      request.header("authorization", authorization);
    }
    return request.build();
  }

  private static String seconds(Instant instant) {
    return BigDecimal.valueOf(instant.toEpochMilli(), 3).toPlainString();
  }

  /** A new client when the file with the trusted certificates has changed. */
  private synchronized HttpClient client() throws QueryFailedException {
    Path caFile = settings.caFile();
    byte[] pem = caFile == null ? new byte[0] : Authorization.content(caFile, "certificates");
    HttpClient current = client;
    if (current != null && Arrays.equals(pem, trusted)) {
      return current;
    }
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.timeout());
    if (caFile != null) {
      try {
        builder.sslContext(TrustStore.of(pem));
      } catch (GeneralSecurityException | IOException e) {
        throw new QueryFailedException(
            "the certificates in " + caFile + " cannot be used: " + e.getMessage());
      }
    }
    close();
    HttpClient fresh = builder.build();
    client = fresh;
    trusted = pem;
    return fresh;
  }

  @Override
  public synchronized void close() {
    HttpClient current = client;
    if (current != null) {
      current.shutdownNow();
      client = null;
    }
  }
}
