package dev.ragjourney.support.scripted;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plays an answer on a socket, with the faults that are visible on the wire. */
final class ResponseWriter {
  private static final String ENDLESS = " ".repeat(8192);

  private final Socket socket;
  private final OutputStream out;

  ResponseWriter(Socket socket) throws IOException {
    this.socket = socket;
    out = socket.getOutputStream();
    socket.setTcpNoDelay(true);
  }

  void error(int status, @Nullable Integer retryAfterSeconds, String body) throws IOException {
    String extra = retryAfterSeconds == null ? "" : "Retry-After: " + retryAfterSeconds + "\r\n";
    document(status, extra, body);
  }

  void json(String body) throws IOException {
    document(200, "", body);
  }

  /**
   * Sends the reply after the turn's delay. Ends by an interrupt when the client has gone.
   *
   * @param path where a redirect leads
   * @param ending told how it ends before the last act: a client that has seen the end must find it
   *     told
   */
  void play(Reply reply, Script.Turn turn, String path, Consumer<Exchange.Ending> ending)
      throws IOException, InterruptedException {
    Fault fault = turn.fault();
    Fault.Kind kind = fault == null ? null : fault.kind();
    if (kind == Fault.Kind.KEEP_ALIVES || kind == Fault.Kind.KEEP_ALIVES_FOREVER) {
      keepAlives(turn, fault, kind == Fault.Kind.KEEP_ALIVES_FOREVER);
      pieces(reply, turn);
      ending.accept(Exchange.Ending.ANSWERED);
      endChunks();
      return;
    }
    TimeUnit.NANOSECONDS.sleep(turn.delayNanos());
    if (kind == Fault.Kind.HANG_BEFORE_HEADERS) {
      hang();
    }
    if (kind == Fault.Kind.RESET) {
      ending.accept(Exchange.Ending.BROKEN_BY_SERVER);
      reset();
      return;
    }
    if (kind == Fault.Kind.STATUS) {
      ending.accept(Exchange.Ending.ANSWERED);
      String type = fault.status() == 429 ? "rate_limit_exceeded" : "server_error";
      error(fault.status(), fault.retryAfterSeconds(), Answers.error(type));
      return;
    }
    if (kind == Fault.Kind.REDIRECT) {
      ending.accept(Exchange.Ending.ANSWERED);
      document(307, "Location: /elsewhere" + path + "\r\n", "");
      return;
    }
    headers(reply.contentType());
    if (kind == Fault.Kind.ENDLESS_BODY) {
      while (true) {
        chunk(ENDLESS);
      }
    }
    if (kind == Fault.Kind.SLOW_DRIP) {
      for (char each : reply.whole().toCharArray()) {
        chunk(String.valueOf(each));
        TimeUnit.MILLISECONDS.sleep(fault.everyMs());
      }
    } else if (breaksInBody(kind)) {
      String whole = reply.whole();
      chunk(whole.substring(0, whole.length() / 2));
      if (kind == Fault.Kind.HANG_IN_BODY) {
        hang();
      }
      if (kind == Fault.Kind.RESET_IN_BODY) {
        ending.accept(Exchange.Ending.BROKEN_BY_SERVER);
        reset();
        return;
      }
      ending.accept(Exchange.Ending.BROKEN_BY_SERVER);
      socket.shutdownOutput();
      return;
    } else {
      pieces(reply, turn);
      if (kind == Fault.Kind.HANG_AFTER_FINISH) {
        hang();
      }
    }
    ending.accept(Exchange.Ending.ANSWERED);
    endChunks();
    return;
  }

  private static boolean breaksInBody(Fault.@Nullable Kind kind) {
    return kind == Fault.Kind.HANG_IN_BODY
        || kind == Fault.Kind.RESET_IN_BODY
        || kind == Fault.Kind.HALF_CLOSE;
  }

  private void keepAlives(Script.Turn turn, Fault fault, boolean forever)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + turn.delayNanos();
    headers("text/event-stream");
    chunk(ChatStream.role());
    while (forever || System.nanoTime() < end) {
      chunk(ChatStream.COMMENT);
      TimeUnit.MILLISECONDS.sleep(Math.max(1, fault.everyMs()));
    }
  }

  private void pieces(Reply reply, Script.Turn turn) throws IOException, InterruptedException {
    for (String piece : reply.pieces()) {
      chunk(piece);
      if (reply.stream()) {
        TimeUnit.MILLISECONDS.sleep(turn.behaviour().tokenGapMs());
      }
    }
  }

  private static void hang() throws InterruptedException {
    TimeUnit.DAYS.sleep(1);
  }

  /** A closed socket that lingers for no time sends a reset. */
  private void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private void document(int status, String extraHeaders, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    write(
        "HTTP/1.1 "
            + status
            + " Scripted\r\nContent-Type: application/json\r\n"
            + extraHeaders
            + "Content-Length: "
            + bytes.length
            + "\r\n\r\n"
            + body);
  }

  private void headers(String contentType) throws IOException {
    write(
        "HTTP/1.1 200 OK\r\nContent-Type: "
            + contentType
            + "\r\nTransfer-Encoding: chunked\r\n\r\n");
  }

  private void chunk(String data) throws IOException {
    if (!data.isEmpty()) {
      int length = data.getBytes(StandardCharsets.UTF_8).length;
      write(Integer.toHexString(length) + "\r\n" + data + "\r\n");
    }
  }

  private void endChunks() throws IOException {
    write("0\r\n\r\n");
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
