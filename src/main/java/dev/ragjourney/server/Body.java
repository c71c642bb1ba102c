package dev.ragjourney.server;

import dev.ragjourney.pipeline.MonotonicTime;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request's body, bounded in size and in time. */
final class Body {
  /** A body that has not come whole by then is not waited for. */
  static final Duration MAX_TIME = Duration.ofSeconds(10);

  /** So much of a refused body is read and dropped, so that its sender gets to read the answer. */
  private static final int MAX_DRAIN_BYTES = 8 * 1024 * 1024;

  private static final Duration MAX_DRAIN_TIME = Duration.ofSeconds(2);
  private static final int CHUNK = 8 * 1024;

  private final ServerRequest request;
  private final int maxBytes;
  private final MonotonicTime time;
  private final long declared;
  private final boolean chunked;
  private @Nullable InputStream in;
  private boolean atEnd;

  Body(ServerRequest request, int maxBytes, MonotonicTime time) {
    this.request = request;
    this.maxBytes = maxBytes;
    this.time = time;
    declared = request.headers().contentLength().orElse(-1);
    chunked = request.headers().contains(HeaderNames.TRANSFER_ENCODING);
    atEnd = declared <= 0 && !chunked;
  }

  /** All of it. */
  byte[] read() throws RefusedException {
    if (declared > maxBytes) {
      throw tooLarge();
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream((int) Math.max(declared, 256));
    long end = time.nanos() + MAX_TIME.toNanos();
    byte[] chunk = new byte[CHUNK];
    try {
      while (!atEnd) {
        int count = next(chunk);
        body.write(chunk, 0, Math.max(count, 0));
        if (body.size() > maxBytes) {
          throw tooLarge();
        }
        if (time.nanos() > end) {
          throw refused(408, "Request Timeout", "the body did not come whole within 10 seconds");
        }
      }
    } catch (IOException | RuntimeException e) {
      throw refused(400, "Bad Request", "the body ended before it was whole");
    }
    return body.toByteArray();
  }

  /**
   * Reads what is left and drops it.
   *
   * @return whether the end was reached; if not, the connection must not be used again, because the
   *     rest would be taken for a request
   */
  boolean drained() {
    if (request.headers().contains(HeaderNames.EXPECT)) {
      return atEnd;
    }
    long end = time.nanos() + MAX_DRAIN_TIME.toNanos();
    byte[] chunk = new byte[CHUNK];
    try {
      for (int read = 0; !atEnd && read < MAX_DRAIN_BYTES && time.nanos() < end; ) {
        read += Math.max(next(chunk), 0);
      }
    } catch (IOException | RuntimeException e) {
      return false;
    }
    return atEnd;
  }

  private int next(byte[] chunk) throws IOException {
    InputStream stream = in;
    if (stream == null) {
      stream = request.content().inputStream();
      in = stream;
    }
    int count = stream.read(chunk);
    atEnd = count < 0;
    return count;
  }

  private RefusedException tooLarge() {
    return refused(
        413,
        "Content Too Large",
        "the body has more than %d bytes; ask in less".formatted(maxBytes));
  }

  private static RefusedException refused(int status, String title, String detail) {
    return new RefusedException(new Problem(status, title, detail));
  }
}
