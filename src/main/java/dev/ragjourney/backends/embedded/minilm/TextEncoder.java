package dev.ragjourney.backends.embedded.minilm;

import ai.onnxruntime.OrtException;
import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.StageCall;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the model on a fixed number of platform threads. Native code would hold a virtual thread's
 * carrier; here the virtual thread only waits, and stops waiting the moment its call is over.
 */
public final class TextEncoder implements AutoCloseable {
  /** Longer queues could not be served in time: at 2 ms a question this is 0.1 s a thread. */
  private static final int QUEUE_A_THREAD = 64;

  private final MiniLm model;
  private final ThreadPoolExecutor pool;

  private TextEncoder(MiniLm model, int threads) {
    this.model = model;
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(threads * QUEUE_A_THREAD),
            Thread.ofPlatform().daemon().name("minilm-", 0).factory());
  }

  /**
   * @param threads runs that go side by side; at most as many as there are cores
   */
  public static TextEncoder load(int threads) throws IOException {
    return new TextEncoder(MiniLm.load(), threads);
  }

  public int threads() {
    return pool.getMaximumPoolSize();
  }

  /** Encodes for a call; the wait for a free thread is part of the call's time. */
  public Encoded encode(StageCall call, String text)
      throws CallCancelledException, BackendException {
    call.check();
    Run run = new Run();
    FutureTask<Encoded> task = new FutureTask<>(() -> model.encode(text, run));
    call.cancellation().onCancel(run::end);
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      throw new BackendException(
          BackendException.Kind.OVERLOADED, "the embedding model's queue is full", e);
    }
    try {
      return task.get(call.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new CallCancelledException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallCancelledException();
    } catch (ExecutionException e) {
      call.check();
      throw new BackendException(
          BackendException.Kind.SERVER_ERROR, "the embedding model failed", e.getCause());
    } finally {
      if (!task.isDone()) {
        run.end();
        task.cancel(false);
        pool.remove(task);
      }
    }
  }

  /** Encodes in the background, for an index; the caller bounds how many are under way. */
  public Future<Encoded> submit(String text) {
    return pool.submit(() -> model.encode(text, new Run()));
  }

  /** Word pieces of the text, counted no further than the limit. */
  public int count(String text, int limit) {
    return model.count(text, limit);
  }

  @Override
  public void close() {
    pool.shutdownNow();
    try {
      // A run lasts milliseconds; native memory must not be freed below one.
      if (pool.awaitTermination(5, TimeUnit.SECONDS)) {
        model.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OrtException e) {
      throw new IllegalStateException("the embedding model does not close", e);
    }
  }
}
