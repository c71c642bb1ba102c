package dev.ragjourney.prometheus;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where and how to ask. Settings of the operator, never of a journey: one query serves all, and a
 * tenant must not choose where a token is sent.
 *
 * @param url of the server, below which {@code /api/v1} lies; http or https
 * @param bearerTokenFile sent with every query, read anew each time; null for none
 * @param basicAuth sent with every query in its place; null for none
 * @param caFile PEM certificates to trust, read anew each time; null for the machine's own
 * @param extraMatchers added to every selector, like {@code cluster="eu"}
 * @param timeout of one query
 * @param maxResponseBytes of one answer
 */
public record PrometheusSettings(
    URI url,
    @Nullable Path bearerTokenFile,
    @Nullable BasicAuth basicAuth,
    @Nullable Path caFile,
    List<String> extraMatchers,
    Duration timeout,
    long maxResponseBytes) {
  /** A user name and a password, each in a file of its own that is read anew each time. */
  public record BasicAuth(Path usernameFile, Path passwordFile) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final long MAX_RESPONSE_BYTES = 64L << 20;

  private static final Pattern MATCHER =
      Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*\\s*(=|!=|=~|!~)\\s*\"([^\"\\\\\\n]|\\\\.)*\"");

  public PrometheusSettings {
    extraMatchers = List.copyOf(extraMatchers);
    String scheme = url.getScheme();
    if (url.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "Prometheus URL must look like http://host:9090, but has scheme "
              + scheme
              + " and host "
              + url.getHost());
    }
    if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "Prometheus URL must be without user, query and fragment; a token goes into a file");
    }
    if (bearerTokenFile != null && basicAuth != null) {
      throw new IllegalArgumentException(
          "Prometheus gets a bearer token or a user name and a password, not both");
    }
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("a timeout of at least 1ms is needed");
    }
    if (maxResponseBytes <= 0) {
      throw new IllegalArgumentException("an answer of at least 1 byte must be allowed");
    }
    for (String matcher : extraMatchers) {
      if (!MATCHER.matcher(matcher).matches()) {
        throw new IllegalArgumentException(
            "extra matcher must look like cluster=\"eu\", but is: " + matcher);
      }
    }
  }

  /** A server that asks for nothing. */
  public static PrometheusSettings of(URI url) {
    return new PrometheusSettings(url, null, null, null, List.of(), TIMEOUT, MAX_RESPONSE_BYTES);
  }

  public PrometheusSettings withBearerTokenFile(@Nullable Path file) {
    return new PrometheusSettings(
        url, file, basicAuth, caFile, extraMatchers, timeout, maxResponseBytes);
  }

  public PrometheusSettings withBasicAuth(@Nullable BasicAuth files) {
    return new PrometheusSettings(
        url, bearerTokenFile, files, caFile, extraMatchers, timeout, maxResponseBytes);
  }

  public PrometheusSettings withCaFile(@Nullable Path file) {
    return new PrometheusSettings(
        url, bearerTokenFile, basicAuth, file, extraMatchers, timeout, maxResponseBytes);
  }

  public PrometheusSettings withExtraMatchers(List<String> matchers) {
    return new PrometheusSettings(
        url, bearerTokenFile, basicAuth, caFile, matchers, timeout, maxResponseBytes);
  }

  public PrometheusSettings withTimeout(Duration newTimeout) {
    return new PrometheusSettings(
        url, bearerTokenFile, basicAuth, caFile, extraMatchers, newTimeout, maxResponseBytes);
  }

  public PrometheusSettings withMaxResponseBytes(long bytes) {
    return new PrometheusSettings(
        url, bearerTokenFile, basicAuth, caFile, extraMatchers, timeout, bytes);
  }
}
