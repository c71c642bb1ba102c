package dev.ragjourney.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.support.scripted.Exchange;
import dev.ragjourney.support.scripted.ScriptedBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call of a port on a virtual thread of its own, which a test can cut off in either of the two
 * ways a stage is: by interrupt and by cancellation.
 */
public final class CutCall implements Cancellation {
  private final StageCall call;
  private final List<Runnable> closers = new ArrayList<>();
  private boolean cancelled;
  private @Nullable Thread thread;

  private CutCall(Duration lasting, @Nullable String traceparent) {
    long end = System.nanoTime() + lasting.toNanos();
    call =
        new StageCall(
            "stage",
            0,
            StageCall.Role.PRIMARY,
            MonotonicTime.system(),
            end,
            end,
            this,
            traceparent);
  }

  /** A call with this much time. */
  public static CutCall lasting(Duration time) {
    return new CutCall(time, null);
  }

  /** A call with more time than any test takes. */
  public static CutCall unhurried() {
    return lasting(Duration.ofSeconds(20));
  }

  public static CutCall traced(String traceparent) {
    return new CutCall(Duration.ofSeconds(20), traceparent);
  }

  /** What the port is told. */
  public StageCall stageCall() {
    return call;
  }

  /** Starts the port's work. */
  public <T> CompletableFuture<T> start(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    result.complete(work.call());
                  } catch (Throwable e) {
                    result.completeExceptionally(e);
                  }
                });
    return result;
  }

  /** Does the port's work and gives its result or what it threw. */
  public <T> T run(Callable<T> work) throws Exception {
    return result(start(work));
  }

  /** The result, or what the work threw. */
  public static <T> T result(CompletableFuture<T> work) throws Exception {
    try {
      return work.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception thrown) {
        throw thrown;
      }
      throw e;
    }
  }

  /**
   * Starts the port's work, cuts it off when the server has been asked, and waits until the work
   * has ended as cut off and the server has seen its connection closed.
   *
   * @param cut {@link #interrupt} or {@link #cancel} of this call
   */
  public void assertCutOff(ScriptedBackend server, Callable<?> work, Runnable cut) {
    CompletableFuture<?> running = start(work);
    await().until(() -> server.exchanges().size() == 1);

    cut.run();

    assertThatThrownBy(() -> result(running)).isInstanceOf(CallCancelledException.class);
    await().until(() -> server.onlyExchange().ending() == Exchange.Ending.CLOSED_BY_CLIENT);
  }

  public void interrupt() {
    if (thread == null) {
      throw new IllegalStateException("not started");
    }
    thread.interrupt();
  }

  public void cancel() {
    List<Runnable> toRun;
    synchronized (this) {
      cancelled = true;
      toRun = List.copyOf(closers);
      closers.clear();
    }
    toRun.forEach(Runnable::run);
  }

  @Override
  public synchronized boolean cancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable close) {
    synchronized (this) {
      if (!cancelled) {
        closers.add(close);
        return;
      }
    }
    close.run();
  }
}
