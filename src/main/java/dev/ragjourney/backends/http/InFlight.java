package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on the wire, and the three ways to end it early: an interrupt of the waiting thread,
 * the call's cancellation on any thread, the end of the call's time. Each closes the connection.
 */
final class InFlight<T> {
  private final String backend;
  private final StageCall call;
  private final Consumer<T> discard;
  private volatile @Nullable CompletableFuture<HttpResponse<T>> request;
  private volatile @Nullable InputStream body;
  private volatile boolean aborted;

  /**
   * @param discard frees an answer that came at the very moment at which the wait for it ended
   */
  InFlight(String backend, StageCall call, Consumer<T> discard) {
    this.backend = backend;
    this.call = call;
    this.discard = discard;
  }

  HttpResponse<T> await(CompletableFuture<HttpResponse<T>> sent, long atMostNanos)
      throws BackendException, CallCancelledException {
    request = sent;
    call.cancellation().onCancel(this::abort);
    try {
      return sent.get(atMostNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      giveUp(sent);
      Thread.currentThread().interrupt();
      throw new CallCancelledException();
    } catch (TimeoutException e) {
      giveUp(sent);
      throw new CallCancelledException();
    } catch (CancellationException e) {
      throw new CallCancelledException();
    } catch (ExecutionException e) {
      if (aborted || call.cancellation().cancelled()) {
        throw new CallCancelledException();
      }
      throw failure(e.getCause());
    }
  }

  private void giveUp(CompletableFuture<HttpResponse<T>> sent) {
    if (!sent.cancel(true)) {
      CompletableFuture<Void> _ = sent.thenAccept(response -> discard.accept(response.body()));
    }
  }

  /** From here on the end of the call closes the body. */
  void started(InputStream stream) throws CallCancelledException {
    body = stream;
    // The other thread writes, then reads, in the opposite order: one of the two sees the other.
    if (aborted) {
      close(stream);
      throw new CallCancelledException();
    }
  }

  private void abort() {
    aborted = true;
    CompletableFuture<HttpResponse<T>> sent = request;
    if (sent != null) {
      sent.cancel(true);
    }
    InputStream stream = body;
    if (stream != null) {
      close(stream);
    }
  }

  static void close(InputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BackendException failure(@Nullable Throwable cause) {
    if (cause instanceof IOException failure) {
      return Failures.ofConnection(backend, failure);
    }
    throw new IllegalStateException("an unforeseen failure of the HTTP client", cause);
  }
}
