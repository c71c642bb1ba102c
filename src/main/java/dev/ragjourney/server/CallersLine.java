package dev.ragjourney.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A connection that notices when its caller hangs up while the answer is made.
 *
 * <p>A connection that is closed at the far end says so only to somebody who reads. So while a
 * journey runs, a thread of its own reads ahead; what it gets is handed to the server when that
 * reads the next request. Only one of the two reads at any time.
 */
final class CallersLine implements ConnectionContext {
  static final ScopedValue<CallersLine> CURRENT = ScopedValue.newInstance();

  private final ConnectionContext connection;
  private final DataReader reader = DataReader.create(this::next);
  private volatile @Nullable Runnable hungUp;
  private @Nullable CompletableFuture<byte @Nullable []> ahead;

  CallersLine(ConnectionContext connection) {
    this.connection = connection;
  }

  /** From now on, until {@link #unwatch}, a hang-up is told. Nothing of the request is unread. */
  void watch(Runnable onHangUp) {
    hungUp = onHangUp;
    CompletableFuture<byte @Nullable []> reading = ahead;
    if (reading == null && reader.available() == 0) {
      reading = new CompletableFuture<>();
      ahead = reading;
      CompletableFuture<byte @Nullable []> result = reading;
      Thread.ofVirtual().name("callers-line-", 0).start(() -> read(result));
    } else if (reading != null && reading.isDone()) {
      tell(reading);
    }
  }

  void unwatch() {
    hungUp = null;
  }

  private void read(CompletableFuture<byte @Nullable []> result) {
    try {
      result.complete(pull());
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
    tell(result);
  }

  private void tell(CompletableFuture<byte @Nullable []> ended) {
    Runnable told = hungUp;
    if (told != null && (ended.isCompletedExceptionally() || ended.join() == null)) {
      told.run();
    }
  }

  /** The server reads on. */
  private byte @Nullable [] next() {
    CompletableFuture<byte @Nullable []> reading = ahead;
    if (reading == null) {
      return pull();
    }
    ahead = null;
    try {
      return reading.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the server stops", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  /** What has come, at least a byte; null at the end. */
  private byte @Nullable [] pull() {
    DataReader below = connection.dataReader();
    try {
      below.ensureAvailable();
    } catch (DataReader.InsufficientDataAvailableException e) {
      return null;
    }
    return below.readBytes(below.available());
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public ListenerContext listenerContext() {
    return connection.listenerContext();
  }

  @Override
  public ExecutorService executor() {
    return connection.executor();
  }

  @Override
  public DataWriter dataWriter() {
    return connection.dataWriter();
  }

  @Override
  public Router router() {
    return connection.router();
  }

  @Override
  public Optional<ProxyProtocolData> proxyProtocolData() {
    return connection.proxyProtocolData();
  }

  @Override
  public HelidonSocket serverSocket() {
    return connection.serverSocket();
  }

  @Override
  public PeerInfo remotePeer() {
    return connection.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return connection.localPeer();
  }

  @Override
  public boolean isSecure() {
    return connection.isSecure();
  }

  @Override
  public String socketId() {
    return connection.socketId();
  }

  @Override
  public String childSocketId() {
    return connection.childSocketId();
  }
}
