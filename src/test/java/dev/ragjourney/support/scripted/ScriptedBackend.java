package dev.ragjourney.support.scripted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A backend of every remote kind that answers as it is told: see {@link Protocol} for its paths,
 * {@link Behaviour} for what it does, {@link Control} for how to tell it from outside.
 */
public final class ScriptedBackend implements AutoCloseable {
  private final ServerSocket listener;
  private final Script script = new Script();
  private final Ledger ledger = new Ledger();
  private final Control control = new Control(script, ledger);
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  private ScriptedBackend(ServerSocket listener) {
    this.listener = listener;
  }

  /** Serves on a free port of the loopback address. */
  public static ScriptedBackend start() throws IOException {
    return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  public static ScriptedBackend start(InetSocketAddress address) throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.bind(address, 1024);
    return serve(listener);
  }

  /** Serves on a socket that listens already, TLS for instance. */
  public static ScriptedBackend serve(ServerSocket listener) {
    ScriptedBackend backend = new ScriptedBackend(listener);
    Thread.ofVirtual().name("scripted-backend").start(backend::accept);
    return backend;
  }

  /**
   * Runs as a process of its own.
   *
   * @param arguments the port, and optionally a file with a script as {@code POST /script} takes it
   */
  public static void main(String... arguments) throws Exception {
    if (arguments.length < 1 || arguments.length > 2) {
      System.err.println("usage: ScriptedBackend PORT [SCRIPT.json]");
      System.exit(2);
    }
    ScriptedBackend backend = start(new InetSocketAddress(Integer.parseInt(arguments[0])));
    if (arguments.length == 2) {
      backend.control.apply(Files.readString(Path.of(arguments[1])));
    }
    System.out.println("scripted backend: port " + backend.port());
    Thread.currentThread().join();
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** The address of a path, like {@code url("/v1")}. */
  public URI url(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  /**
   * @param route a protocol's name, a path prefix such as {@code /small-llm}, or {@code *}
   */
  public void script(String route, Behaviour behaviour) {
    requireRoute(route);
    script.set(route, behaviour);
  }

  public void script(Protocol protocol, Behaviour behaviour) {
    script.set(protocol.label(), behaviour);
  }

  /** Every route is plain again; what was seen is forgotten. */
  public void reset() {
    script.clear();
    ledger.clear();
  }

  /** Every request so far, in the order of arrival. */
  public List<Exchange> exchanges() {
    return ledger.exchanges();
  }

  /** Requests whose path begins like this. */
  public List<Exchange> exchanges(String pathPrefix) {
    return exchanges().stream().filter(each -> each.path().startsWith(pathPrefix)).toList();
  }

  /** The only request so far. */
  public Exchange onlyExchange() {
    List<Exchange> all = exchanges();
    if (all.size() != 1) {
      throw new AssertionError("expected one request, saw " + all.size());
    }
    return all.getFirst();
  }

  public long connectionsOpen() {
    return ledger.connectionsOpen();
  }

  public long connectionsOpened() {
    return ledger.connectionsOpened();
  }

  static void requireRoute(String route) {
    boolean known =
        route.equals("*")
            || route.startsWith("/")
            || Arrays.stream(Protocol.values()).anyMatch(each -> each.label().equals(route));
    if (!known) {
      throw new IllegalArgumentException(
          "route is "
              + route
              + ", must be a path, * or one of "
              + Arrays.stream(Protocol.values()).map(Protocol::label).toList());
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        Connection connection =
            new Connection(ledger.connectionOpened(), socket, script, ledger, control);
        connections.add(connection);
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    connection.serve();
                  } finally {
                    connections.remove(connection);
                  }
                });
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    connections.forEach(Connection::close);
  }
}
