package dev.ragjourney.prometheus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends with an error when more than so many bytes were read. */
final class BoundedInput extends FilterInputStream {
  private final long most;
  private long left;

  BoundedInput(InputStream in, long most) {
    super(in);
    this.most = most;
    this.left = most;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0) {
      spend(1);
    }
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = super.read(buffer, offset, length);
    if (read > 0) {
      spend(read);
    }
    return read;
  }

  private void spend(int bytes) throws IOException {
    left -= bytes;
    if (left < 0) {
      throw new IOException("the answer is longer than " + most + " bytes");
    }
  }
}
