package dev.ragjourney.backends.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what went wrong on the wire into a failure with a kind. A message is made of our own words,
 * the status and short codes: an answer's text may quote the key or the prompt, so it never gets
 * in, nor does the exception that carries it.
 */
public final class Failures {
  /** What an error code looks like: {@code rate_limit_exceeded}. Letters only: never a key. */
  private static final Pattern CODE = Pattern.compile("(?=.{2,40}$)[A-Za-z]+(_[a-z]+)*");

  /** The code, and the finish reason, where a service's own filter withheld something. */
  public static final String CONTENT_FILTER = "content_filter";

  private Failures() {}

  /** 2xx is no failure and has no kind. */
  static Kind kindOf(int status) {
    return switch (status) {
      case 429, 503 -> Kind.OVERLOADED;
      case 408, 504 -> Kind.BACKEND_TIMEOUT;
      // text-embeddings-inference: the model behind the server failed.
      case 424 -> Kind.SERVER_ERROR;
      default -> status >= 500 ? Kind.SERVER_ERROR : Kind.REFUSED;
    };
  }

  /**
   * @param retryAfter the header of that name
   * @param body the answer, as far as it was read as JSON
   * @param words what it means, where the service gives no code
   */
  static BackendException ofStatus(
      String backend,
      int status,
      @Nullable String retryAfter,
      @Nullable JsonNode body,
      ErrorWords words) {
    StringBuilder message = new StringBuilder(backend).append(": status ").append(status);
    String code = body == null ? null : code(body);
    if (code == null && body != null) {
      code = words.of(status, body);
    }
    if (code != null) {
      message.append(" (").append(code).append(')');
    }
    if (CONTENT_FILTER.equals(code)) {
      message.append("; the content filter of the service refused the prompt");
    }
    if (status >= 300 && status < 400) {
      message.append("; redirects are not followed");
    }
    long waitSeconds = 0;
    // The form with a date is left alone: the clocks of two machines differ by more than a retry
    // waits.
    if (retryAfter != null && retryAfter.matches("[0-9]{1,6}")) {
      waitSeconds = Long.parseLong(retryAfter);
      message.append("; asks to wait ").append(retryAfter).append(" s");
    }
    return new BackendException(
        kindOf(status), message.toString(), TimeUnit.SECONDS.toNanos(waitSeconds));
  }

  /** A failure to reach the backend, or of the connection, or an answer that was too long. */
  static BackendException ofConnection(String backend, IOException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof BoundedBody.TooLong) {
        return invalid(backend, String.valueOf(each.getMessage()));
      }
    }
    String what;
    if (failure instanceof HttpConnectTimeoutException) {
      what = "no connection within the connect time-out";
    } else if (failure instanceof ConnectException) {
      what = "no connection: refused, or no such host";
    } else if (failure instanceof SSLException) {
      what = "no trusted TLS connection";
    } else {
      what = "the connection broke";
    }
    return new BackendException(Kind.UNAVAILABLE, backend + ": " + what);
  }

  public static BackendException invalid(String backend, String what) {
    return new BackendException(Kind.INVALID_ANSWER, backend + ": " + what);
  }

  /** The error object of an error-shaped answer; null if the answer is not of that shape. */
  static @Nullable JsonNode errorIn(JsonNode answer) {
    JsonNode error = answer.path("error");
    return error.isMissingNode() || error.isNull() ? null : error;
  }

  /** A short machine code, if the error has one. */
  static @Nullable String code(JsonNode answer) {
    JsonNode error = answer.path("error");
    for (JsonNode each :
        new JsonNode[] {
          error.path("code"),
          error.path("type"),
          answer.path("error_type"),
          answer.path("code"),
          answer.path("type")
        }) {
      if (each.isTextual() && CODE.matcher(each.asText()).matches()) {
        return each.asText();
      }
    }
    return null;
  }
}
