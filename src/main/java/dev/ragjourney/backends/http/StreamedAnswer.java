package dev.ragjourney.backends.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a stream, read as it comes. Bounded in all and in the length of one line, so that a
 * server that never ends a line cannot fill the memory. Closing it before its end closes the
 * connection.
 */
public final class StreamedAnswer extends InputStream {
  /** A hundred thousand tokens with their JSON around them take about half of it. */
  static final long MAX_BYTES = 64L << 20;

  static final int MAX_LINE = 1 << 20;

  private final InputStream body;
  private long total;
  private int line;

  StreamedAnswer(InputStream body) {
    this.body = body;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = body.read(bytes, offset, length);
    for (int i = 0; i < count; i++) {
      line = bytes[offset + i] == '\n' ? 0 : line + 1;
      if (line > MAX_LINE) {
        throw new BoundedBody.TooLong(MAX_LINE);
      }
    }
    total += Math.max(0, count);
    if (total > MAX_BYTES) {
      throw new BoundedBody.TooLong((int) MAX_BYTES);
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    body.close();
  }
}
