package dev.ragjourney.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A caller whose connection can be seen and closed. */
final class Asker implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader lines;

  private Asker(TestPod pod, int questions) throws IOException {
    socket = new Socket("127.0.0.1", pod.server.port());
    socket.setSoTimeout(20_000);
    lines =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    String body = "{\"question\": \"why?\"}";
    String request =
        "POST /v1/ask HTTP/1.1\r\nHost: pod\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    socket.getOutputStream().write(request.repeat(questions).getBytes(StandardCharsets.UTF_8));
  }

  static Asker asking(TestPod pod) throws IOException {
    return new Asker(pod, 1);
  }

  /** Sends its questions one after the other without waiting for an answer. */
  static Asker asking(TestPod pod, int questions) throws IOException {
    return new Asker(pod, questions);
  }

  /** The next status line; null when the pod has closed the connection. */
  String status() throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("HTTP/1.1 ") && !line.contains("HTTP/1.1 ")) {
      line = lines.readLine();
    }
    return line == null ? null : line.substring(line.indexOf("HTTP/1.1 "));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
