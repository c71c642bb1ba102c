package dev.ragjourney.support.scripted;

import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection. A reader waits for the next request or for the client's close while a
 * second thread plays the answer, so that a close is noticed the moment it arrives.
 */
final class Connection {
  private final long number;
  private final Socket socket;
  private final Script script;
  private final Ledger ledger;
  private final Control control;
  private final ResponseWriter writer;

  private @Nullable Thread player;
  private @Nullable Exchange exchange;

  Connection(long number, Socket socket, Script script, Ledger ledger, Control control)
      throws IOException {
    this.number = number;
    this.socket = socket;
    this.script = script;
    this.ledger = ledger;
    this.control = control;
    writer = new ResponseWriter(socket);
  }

  /** Serves requests until the client or the script ends the connection. */
  void serve() {
    try {
      HttpRequestReader reader = new HttpRequestReader(socket.getInputStream());
      for (var request = reader.next(); request != null; request = reader.next()) {
        long received = System.nanoTime();
        if (player != null) {
          player.join();
        }
        start(request, received);
      }
    } catch (IOException e) {
      // A reset or an end in the middle is a close like any other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closedByClient(System.nanoTime());
    }
  }

  private void start(HttpRequestReader.Request request, long received) throws IOException {
    if (control.serves(request)) {
      control.answer(request, writer);
      return;
    }
    Protocol protocol = Protocol.of(request.path()).orElse(null);
    if (protocol == null || (protocol != Protocol.TOOL && !request.method().equals("POST"))) {
      writer.error(404, null, Answers.error("no_such_route"));
      return;
    }
    Exchange started =
        new Exchange(number, request.path(), request.headers(), request.body(), received);
    exchange = started;
    Script.Turn turn = script.turn(request.path(), protocol);
    ledger.add(started);
    player = Thread.ofVirtual().start(() -> play(started, protocol, turn));
  }

  private void play(Exchange started, Protocol protocol, Script.Turn turn) {
    try {
      Fault.Kind wrong = turn.fault() == null ? null : turn.fault().kind();
      Reply reply;
      try {
        reply = Answers.reply(protocol, started.body(), turn.behaviour(), wrong);
      } catch (IllegalArgumentException e) {
        started.end(Exchange.Ending.ANSWERED, System.nanoTime());
        writer.error(400, null, Answers.error("invalid_request: " + e.getMessage()));
        return;
      }
      writer.play(reply, turn, started.path(), how -> started.end(how, System.nanoTime()));
    } catch (IOException e) {
      started.end(Exchange.Ending.CLOSED_BY_CLIENT, System.nanoTime());
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closedByClient(long nanos) {
    if (exchange != null) {
      exchange.end(Exchange.Ending.CLOSED_BY_CLIENT, nanos);
    }
    if (player != null) {
      player.interrupt();
    }
    close();
    ledger.connectionClosed();
  }

  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed is what it was to be.
    }
  }
}
