package dev.ragjourney.operator;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is done again and again, on a daemon thread of its own. Once that fails is logged, and
 * does not end it.
 */
final class Repeating implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);

  private final String what;
  private final ScheduledExecutorService thread;

  /**
   * @param what is done; the name of the thread
   */
  Repeating(String what) {
    this.what = what;
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(what).daemon().factory());
  }

  /** The first time after a pause. */
  void start(Duration pause, Runnable work) {
    start(pause, 0, work);
  }

  /**
   * @param rest the pause is so many times as long as the work took, where that is longer
   */
  void start(Duration pause, int rest, Runnable work) {
    after(pause.toNanos(), pause, rest, work);
  }

  private void after(long nanos, Duration pause, int rest, Runnable work) {
    try {
      var _ =
          thread.schedule(
              () -> {
                long started = System.nanoTime();
                once(work);
                long took = System.nanoTime() - started;
                after(Math.max(pause.toNanos(), rest * took), pause, rest, work);
              },
              nanos,
              TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("{} ends", what);
    }
  }

  private void once(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.error("{} failed; it is tried again", what, e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
