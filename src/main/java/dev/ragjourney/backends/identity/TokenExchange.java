package dev.ragjourney.backends.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ragjourney.backends.http.Failures;
import dev.ragjourney.backends.http.HttpTransport;
import dev.ragjourney.backends.http.KeyHeader;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.plan.BackendPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Exchanges the cluster's assertion for a token of Azure. */
final class TokenExchange implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> FORM =
      Map.of("Content-Type", "application/x-www-form-urlencoded");
  private static final Pattern ERROR = Pattern.compile("[a-z_]{2,40}");
  private static final Pattern SENDABLE = Pattern.compile("[!-~]+");
  private static final long CALL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CONNECT_MILLIS = 5_000;

  private final WorkloadIdentity identity;
  private final MonotonicTime time;
  private final HttpTransport transport;

  /**
   * @param backend the first word of every message
   */
  TokenExchange(String backend, WorkloadIdentity identity, MonotonicTime time) {
    this.identity = identity;
    this.time = time;
    BackendPlan plan =
        new BackendPlan(
            backend + " sign-in",
            "identity",
            Map.of(),
            Map.of(),
            List.of(),
            null,
            CONNECT_MILLIS,
            1,
            Map.of());
    transport = HttpTransport.open(plan, Path.of("/"), KeyHeader.BEARER, TokenExchange::meaning);
  }

  Token token() throws BackendException, CallCancelledException {
    String assertion = assertion();
    long begun = time.nanos();
    long end = begun + CALL_NANOS;
    StageCall call =
        new StageCall(
            "sign-in", 0, StageCall.Role.PRIMARY, time, end, end, Cancellation.NONE, null);
    byte[] form = identity.form(assertion).getBytes(StandardCharsets.UTF_8);
    JsonNode answer = read(transport.post(call, identity.tokenUrl(), form, FORM));
    String text = answer.path("access_token").asText();
    long seconds = answer.path("expires_in").asLong();
    if (!SENDABLE.matcher(text).matches() || seconds < 1) {
      throw Failures.invalid(transport.backend(), "the answer holds no token");
    }
    return new Token(text, begun, TimeUnit.SECONDS.toNanos(seconds));
  }

  private String assertion() throws BackendException {
    try {
      return Files.readString(identity.assertionFile()).strip();
    } catch (IOException e) {
      throw new BackendException(
          Kind.NOT_READY, transport.backend() + ": the cluster's token is not mounted");
    }
  }

  private JsonNode read(byte[] answer) throws BackendException {
    try {
      return JSON.readTree(answer);
    } catch (IOException e) {
      throw Failures.invalid(transport.backend(), "the answer is no JSON");
    }
  }

  /** The kind of error and its number; the description may quote what was sent. */
  static @Nullable String meaning(int status, JsonNode body) {
    String error = body.path("error").asText();
    if (!ERROR.matcher(error).matches()) {
      return null;
    }
    JsonNode number = body.path("error_codes").path(0);
    return number.isIntegralNumber() ? error + ", AADSTS" + number.asLong() : error;
  }

  @Override
  public void close() {
    transport.close();
  }
}
