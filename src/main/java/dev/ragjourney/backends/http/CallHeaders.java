package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.plan.BackendPlan;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The headers of every call of one backend: what the plan declares, the time left, the trace. */
final class CallHeaders {
  static final String REMAINING = "x-rag-remaining-ms";
  static final String TRACEPARENT = "traceparent";

  private record Secret(String name, String prefix, HeaderValue value) {}

  private final Map<String, String> plain = new LinkedHashMap<>();
  private final List<Secret> secrets = new ArrayList<>();

  /**
   * @param bearer what the backend is shown in place of a key; null where nothing is
   */
  CallHeaders(
      BackendPlan plan, Path secretsDirectory, KeyHeader key, @Nullable HeaderValue bearer) {
    if (bearer != null) {
      secrets.add(new Secret(KeyHeader.BEARER.header(), KeyHeader.BEARER.prefix(), bearer));
    }
    String apiKey = plan.secrets().get("apiKey");
    if (apiKey != null) {
      secrets.add(
          new Secret(key.header(), key.prefix(), new MountedFile(secretsDirectory, apiKey)));
    }
    for (int i = 0; i < plan.headers().size(); i++) {
      BackendPlan.Header header = plan.headers().get(i);
      String where = "backends[" + plan.name() + "].headers[" + i + "]";
      if (header.secretFile() != null) {
        requireAllowed(where, header.name(), "x");
        secrets.add(
            new Secret(header.name(), "", new MountedFile(secretsDirectory, header.secretFile())));
      } else {
        String value = header.value() == null ? "" : header.value();
        requireAllowed(where, header.name(), value);
        plain.put(header.name(), value);
      }
    }
  }

  /** Sets the headers of one call; the plan's own win over the adapter's. */
  void apply(HttpRequest.Builder request, StageCall call) throws BackendException {
    request.setHeader(REMAINING, Long.toString(remainingMillis(call)));
    if (call.traceparent() != null) {
      request.setHeader(TRACEPARENT, call.traceparent());
    }
    plain.forEach(request::setHeader);
    long now = call.time().nanos();
    for (Secret secret : secrets) {
      request.setHeader(secret.name, secret.prefix + secret.value.headerValue(now));
    }
  }

  /** Whole milliseconds until the call or the journey is over, whichever comes first. */
  static long remainingMillis(StageCall call) {
    return Math.max(0, Math.min(call.remainingNanos(), call.journeyRemainingNanos()) / 1_000_000);
  }

  /** What of the secrets is missing, one sentence each. */
  List<String> missing(long nowNanos) {
    return secrets.stream()
        .map(each -> problem(each.value, nowNanos))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> problem(HeaderValue value, long nowNanos) {
    try {
      value.headerValue(nowNanos);
      return Optional.empty();
    } catch (BackendException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** The JDK's client keeps some names for itself and refuses characters that are not ASCII. */
  private static void requireAllowed(String where, String name, String value) {
    try {
      HttpRequest.newBuilder(URI.create("http://localhost")).setHeader(name, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          where
              + ".name is \""
              + name
              + "\": the name or its value cannot be sent; use a plain ASCII header other than"
              + " Host, Connection, Content-Length, Expect and Upgrade",
          e);
    }
  }
}
