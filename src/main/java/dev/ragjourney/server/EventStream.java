package dev.ragjourney.server;

import dev.ragjourney.pipeline.CallCancelledException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events. The response starts with the first event, so that a journey that fails before
 * can still be answered with an error's status.
 */
final class EventStream {
  static final String MEDIA_TYPE = "text/event-stream";

  /** For events that only have data. */
  static final String UNNAMED = "";

  private final ServerResponse response;
  private @Nullable OutputStream out;
  private boolean gone;

  EventStream(ServerResponse response) {
    this.response = response;
  }

  boolean started() {
    return out != null;
  }

  /**
   * @throws CallCancelledException if the caller does not read any more
   */
  void say(String event, String data) throws CallCancelledException {
    if (gone) {
      throw new CallCancelledException();
    }
    try {
      emit(event, data);
    } catch (IOException | RuntimeException e) {
      gone = true;
      throw new CallCancelledException();
    }
  }

  void emit(String event, String data) throws IOException {
    OutputStream stream = stream();
    String name = event.equals(UNNAMED) ? "" : "event: " + event + "\n";
    stream.write((name + "data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    stream.flush();
  }

  void close() throws IOException {
    stream().close();
  }

  private OutputStream stream() {
    OutputStream stream = out;
    if (stream == null) {
      response.header(HeaderNames.CONTENT_TYPE, MEDIA_TYPE);
      response.header(HeaderNames.CACHE_CONTROL, "no-cache");
      stream = response.outputStream();
      out = stream;
    }
    return stream;
  }
}
