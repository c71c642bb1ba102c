package dev.ragjourney.backends.identity;

import dev.ragjourney.backends.http.HeaderValue;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.BackendException.Kind;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.MonotonicTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a token at hand, on a thread of its own: no question waits for the sign-in. Without a token
 * that holds a call fails at once, and the pod is not ready.
 */
public final class SignIn implements HeaderValue, AutoCloseable {
  private static final long FIRST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_DOUBLINGS = 5;

  private final MonotonicTime time = MonotonicTime.system();
  private final @Nullable TokenExchange exchange;
  private volatile @Nullable Token token;
  private volatile String why;
  private @Nullable Thread thread;

  /**
   * @param backend the first word of every message
   * @param environment of the pod
   */
  public SignIn(String backend, Map<String, String> environment) {
    TokenExchange with = null;
    String first = backend + ": not signed in yet";
    try {
      with = new TokenExchange(backend, WorkloadIdentity.from(environment), time);
    } catch (IllegalArgumentException e) {
      first = backend + ": " + e.getMessage();
    }
    exchange = with;
    why = first;
  }

  public void start() {
    TokenExchange with = exchange;
    if (with != null) {
      thread = Thread.ofVirtual().name("sign-in").start(() -> keep(with));
    }
  }

  private void keep(TokenExchange with) {
    int failures = 0;
    try {
      while (true) {
        long waitNanos;
        try {
          Token next = with.token();
          token = next;
          failures = 0;
          waitNanos = next.renewAfterNanos();
        } catch (BackendException e) {
          why = String.valueOf(e.getMessage());
          waitNanos = retryAfterNanos(failures++, e.retryAfterNanos());
        }
        TimeUnit.NANOSECONDS.sleep(waitNanos);
      }
    } catch (InterruptedException | CallCancelledException e) {
      // Closed: nobody asks for a token any more.
    }
  }

  /**
   * One second, then twice as long each time up to 32, or longer where the service asks for it.
   *
   * @param failures in a row, before this one
   */
  static long retryAfterNanos(int failures, long askedForNanos) {
    return Math.max(FIRST_RETRY_NANOS << Math.min(failures, MOST_DOUBLINGS), askedForNanos);
  }

  @Override
  public String headerValue(long nowNanos) throws BackendException {
    Token known = token;
    if (known == null || !known.holds(time.nanos())) {
      throw new BackendException(Kind.NOT_READY, why);
    }
    return known.text();
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
    if (exchange != null) {
      exchange.close();
    }
  }
}
