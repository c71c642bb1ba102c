package dev.ragjourney.support.scripted;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads HTTP/1.1 requests off a socket, as much of the protocol as backends' clients use. */
final class HttpRequestReader {
  record Request(String method, String path, Map<String, String> headers, String body) {}

  private static final int MAX_BODY = 64 << 20;

  private final InputStream in;

  HttpRequestReader(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The next request; null if the client closed between two requests. */
  @Nullable Request next() throws IOException {
    String start = line();
    while (start != null && start.isEmpty()) {
      start = line();
    }
    if (start == null) {
      return null;
    }
    String[] parts = start.split(" ", 3);
    if (parts.length != 3) {
      throw new IOException("no request line: " + start);
    }
    Map<String, String> headers = new HashMap<>();
    for (String line = requireLine(); !line.isEmpty(); line = requireLine()) {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new IOException("no header: " + line);
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    String[] target = parts[1].split("\\?", 2);
    headers.put(":method", parts[0]);
    headers.put(":query", target.length > 1 ? target[1] : "");
    String body = body(headers);
    boolean asked = parts[0].equals("GET") && target.length > 1;
    return new Request(parts[0], target[0], headers, asked ? target[1] : body);
  }

  private String body(Map<String, String> headers) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      while (true) {
        int size = Integer.parseInt(requireLine().split(";", 2)[0].strip(), 16);
        body.write(exactly(size));
        requireLine();
        if (size == 0) {
          return body.toString(StandardCharsets.UTF_8);
        }
      }
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new String(exactly(length), StandardCharsets.UTF_8);
  }

  private byte[] exactly(int length) throws IOException {
    if (length < 0 || length > MAX_BODY) {
      throw new IOException("a body of " + length + " bytes");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private String requireLine() throws IOException {
    String line = line();
    if (line == null) {
      throw new EOFException();
    }
    return line;
  }

  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        if (line.size() == 0) {
          return null;
        }
        throw new EOFException();
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
