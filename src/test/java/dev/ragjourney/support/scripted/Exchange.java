package dev.ragjourney.support.scripted;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request as the server saw it, and how it ended. */
public final class Exchange {
  /** How a request ended. */
  public enum Ending {
    /** Not yet. */
    OPEN,
    /** The whole answer, as scripted, was written. */
    ANSWERED,
    /** The client closed the connection before that. */
    CLOSED_BY_CLIENT,
    /** The server broke the connection, as scripted. */
    BROKEN_BY_SERVER
  }

  private final long connection;
  private final String path;
  private final Map<String, String> headers;
  private final String body;
  private final long receivedNanos;
  private Ending ending = Ending.OPEN;
  private long endedNanos;

  Exchange(
      long connection, String path, Map<String, String> headers, String body, long receivedNanos) {
    this.connection = connection;
    this.path = path;
    this.headers = Map.copyOf(headers);
    this.body = body;
    this.receivedNanos = receivedNanos;
  }

  synchronized void end(Ending how, long nanos) {
    if (ending == Ending.OPEN) {
      ending = how;
      endedNanos = nanos;
    }
  }

  /** Number of the connection it came on. */
  public long connection() {
    return connection;
  }

  public String path() {
    return path;
  }

  /** Headers by their names in lower case. */
  public Map<String, String> headers() {
    return headers;
  }

  public @Nullable String header(String lowerCaseName) {
    return headers.get(lowerCaseName);
  }

  public String body() {
    return body;
  }

  /** {@link System#nanoTime()} when the request was read. */
  public long receivedNanos() {
    return receivedNanos;
  }

  public synchronized Ending ending() {
    return ending;
  }

  /** {@link System#nanoTime()} of the end. */
  public synchronized long endedNanos() {
    if (ending == Ending.OPEN) {
      throw new IllegalStateException("the request of " + path + " is still open");
    }
    return endedNanos;
  }

  /** From the request to its end. */
  public Duration lasted() {
    return Duration.ofNanos(endedNanos() - receivedNanos);
  }
}
