package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A key of a Secret or ConfigMap, mounted as a file that changes when the object does. Read again
 * at most once a second: kubelet itself takes longer to bring a change.
 */
final class MountedFile implements HeaderValue {
  private static final long REREAD_NANOS = 1_000_000_000L;

  /** Larger than any key, token or bundle of certificates. */
  private static final long MAX_BYTES = 1 << 20;

  private record Content(String text, long readNanos) {
    @Override
    public String toString() {
      return "Content[" + text.length() + " characters]";
    }
  }

  private final Path file;
  private final String object;
  private final String key;
  private volatile @Nullable Content content;

  /**
   * @param directory of all mounted secrets
   * @param relative {@code OBJECT/KEY}
   */
  MountedFile(Path directory, String relative) {
    Path root = directory.toAbsolutePath().normalize();
    file = root.resolve(relative).normalize();
    if (!file.startsWith(root) || root.relativize(file).getNameCount() != 2) {
      throw new IllegalArgumentException(
          "secret file is \"" + relative + "\", must be the object's name, a slash and the key");
    }
    object = root.relativize(file).getName(0).toString();
    key = root.relativize(file).getName(1).toString();
  }

  /**
   * @param nowNanos monotonic
   */
  String text(long nowNanos) throws BackendException {
    Content known = content;
    if (known != null && nowNanos - known.readNanos < REREAD_NANOS) {
      return known.text;
    }
    String read = read();
    content = new Content(read, nowNanos);
    return read;
  }

  /** The content as a header's value, without the line end that many editors add. */
  @Override
  public String headerValue(long nowNanos) throws BackendException {
    String value = text(nowNanos).strip();
    if (value.isEmpty()) {
      throw notReady("is empty");
    }
    if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw notReady("holds characters that no header may have");
    }
    return value;
  }

  /** A failure that names the object and the key, never the content. */
  BackendException notReady(String what) {
    return new BackendException(
        BackendException.Kind.NOT_READY,
        "key \"" + key + "\" of Secret or ConfigMap \"" + object + "\" " + what);
  }

  private String read() throws BackendException {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw notReady("is longer than " + MAX_BYTES + " bytes");
      }
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw notReady("is not mounted or not readable");
    }
  }
}
