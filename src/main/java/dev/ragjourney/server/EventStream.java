package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.TokenSink;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events: {@code token} events as the answer is written, then one {@code answer} event.
 * The response starts with the first event, so that a journey that fails before can still be
 * answered with an error's status.
 */
final class EventStream implements TokenSink {
  static final String MEDIA_TYPE = "text/event-stream";

  private final ServerResponse response;
  private @Nullable OutputStream out;
  private boolean gone;

  EventStream(ServerResponse response) {
    this.response = response;
  }

  @Override
  public void accept(String content) throws CallCancelledException {
    if (gone) {
      throw new CallCancelledException();
    }
    String data = JsonNodeFactory.instance.objectNode().put("content", content).toString();
    try {
      emit("token", data);
    } catch (IOException | RuntimeException e) {
      gone = true;
      throw new CallCancelledException();
    }
  }

  boolean started() {
    return out != null;
  }

  /** The caller does not read any more. */
  boolean gone() {
    return gone;
  }

  /** Sends the last event and ends the response. */
  void end(String answer) throws IOException {
    if (!gone) {
      emit("answer", answer);
      stream().close();
    }
  }

  private void emit(String event, String json) throws IOException {
    OutputStream stream = stream();
    String text = "event: " + event + "\ndata: " + json + "\n\n";
    stream.write(text.getBytes(StandardCharsets.UTF_8));
    stream.flush();
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
