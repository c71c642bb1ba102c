package dev.ragjourney.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;

/**
 * HTTP/1.1 over lines that notice a hang-up; handlers find theirs as {@link CallersLine#CURRENT}.
 */
final class CallersLines implements ServerConnectionSelector {
  private final ServerConnectionSelector http;

  CallersLines(Http1Config config) {
    http = Http1ConnectionSelector.builder().config(config).build();
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    CallersLine line = new CallersLine(context);
    return new OnLine(http.connection(line), line);
  }

  /** The server's own connection, which the line is bound to. */
  private record OnLine(ServerConnection http, CallersLine line)
      implements ServerConnection, InterruptableTask<Void> {
    @Override
    public void handle(Limit limit) throws InterruptedException {
      ScopedValue.where(CallersLine.CURRENT, line)
          .<Void, InterruptedException>call(
              () -> {
                http.handle(limit);
                return null;
              });
    }

    @Override
    public Duration idleTime() {
      return http.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
      http.close(interrupt);
    }

    @Override
    public boolean canInterrupt() {
      return http instanceof InterruptableTask<?> task && task.canInterrupt();
    }
  }
}
