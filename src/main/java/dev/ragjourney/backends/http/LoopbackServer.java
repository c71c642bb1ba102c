package dev.ragjourney.backends.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/**
 * A server inside the process that gives every request the same answer. A client's first call loads
 * classes for longer than most budgets last; against this server it does so before the pod is
 * ready, without troubling the real one.
 */
public final class LoopbackServer implements AutoCloseable {
  private final ServerSocket listener;
  private final String scheme;
  private final byte[] response;

  private LoopbackServer(ServerSocket listener, String scheme, byte[] response) {
    this.listener = listener;
    this.scheme = scheme;
    this.response = response;
    Thread.ofVirtual().name("warm-up").start(this::accept);
  }

  /**
   * @param contentType of the answer
   * @param body of the answer
   */
  public static LoopbackServer answering(String contentType, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String response =
        "HTTP/1.1 200 OK\r\nContent-Type: "
            + contentType
            + "\r\nContent-Length: "
            + bytes.length
            + "\r\n\r\n"
            + body;
    return new LoopbackServer(
        new ServerSocket(0, 8, InetAddress.getLoopbackAddress()),
        "http",
        response.getBytes(StandardCharsets.UTF_8));
  }

  /** A TLS server that has no certificate: every handshake begins and then fails. */
  static LoopbackServer withoutCertificate() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, null, null);
      ServerSocket listener =
          context
              .getServerSocketFactory()
              .createServerSocket(0, 8, InetAddress.getLoopbackAddress());
      return new LoopbackServer(listener, "https", new byte[0]);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no TLS", e);
    }
  }

  public URI url() {
    return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        // Closed: the loop ends.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        skipRequest(in);
        socket.getOutputStream().write(response);
      }
    } catch (IOException e) {
      // The client has gone, or its handshake failed as it was to.
    }
  }

  private static void skipRequest(InputStream in) throws IOException {
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).strip());
      }
    }
    in.skipNBytes(length);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException();
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
