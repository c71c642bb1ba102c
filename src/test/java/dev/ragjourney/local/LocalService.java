package dev.ragjourney.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A Service on the loopback address: connections go to the ready pods in turn. */
final class LocalService implements AutoCloseable {
  private final ServerSocket listener;
  private final Supplier<List<Integer>> readyPorts;
  private final AtomicInteger turn = new AtomicInteger();

  LocalService(Supplier<List<Integer>> readyPorts) throws IOException {
    this.readyPorts = readyPorts;
    listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("service").start(this::accept);
  }

  String endpoint() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket caller = listener.accept();
        Thread.ofVirtual().start(() -> connect(caller));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket caller) {
    List<Integer> ports = readyPorts.get();
    if (ports.isEmpty()) {
      close(caller);
      return;
    }
    int port = ports.get(Math.floorMod(turn.getAndIncrement(), ports.size()));
    Socket pod = new Socket();
    try {
      pod.setTcpNoDelay(true);
      caller.setTcpNoDelay(true);
      pod.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
    } catch (IOException e) {
      close(caller);
      close(pod);
      return;
    }
    Thread.ofVirtual().start(() -> copy(caller, pod));
    copy(pod, caller);
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException gone) {
      // One side closed: try-with-resources closes the other.
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // Nothing is left to do for a socket that does not close.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
