package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a backend, on a thread of its own. It ends exactly once: by itself, or cut off by the
 * timer or the journey. A cut interrupts its thread and closes its connection, and does not wait
 * for either: work that cannot be interrupted is left behind.
 *
 * <p>A call that its cap cuts off may go on unseen: its result stands, only its work has not ended.
 */
final class Call<T> implements Attempt<T>, Cancellation {
  /** The backend's work. */
  @FunctionalInterface
  interface Work<T> {
    T run(StageCall call) throws Exception;
  }

  private final Machinery machinery;
  private final Bell bell;
  private final StageForm form;
  private final StageCall stageCall;
  private final Work<T> work;
  private final Runnable whenOver;
  private final @Nullable Overtime overtime;

  private boolean started;
  private long startNanos;
  private long endNanos;
  private Cut whenReached;
  private boolean unlimited;
  private volatile @Nullable Result<T> result;
  private volatile long elapsedNanos;
  private DeadlineTimer.@Nullable Armed alarm;
  private @Nullable Thread thread;
  private List<Runnable> closers = List.of();
  private volatile boolean late;

  /**
   * @param told what the backend is told; its cancellation is replaced by this call
   * @param endNanos the call is cut off then
   * @param whenReached the reason to record for that
   * @param whenOver run once when the work has ended, which may be after the call was cut; not run
   *     if it never starts
   * @param overtime how it may go on after its cap has cut it off; null for not at all
   */
  Call(
      Machinery machinery,
      Bell bell,
      StageForm form,
      StageCall told,
      long endNanos,
      Cut whenReached,
      Work<T> work,
      Runnable whenOver,
      @Nullable Overtime overtime) {
    this.machinery = machinery;
    this.bell = bell;
    this.form = form;
    this.endNanos = endNanos;
    this.whenReached = whenReached;
    this.work = work;
    this.whenOver = whenOver;
    this.overtime = overtime;
    this.stageCall =
        new StageCall(
            told.stage(),
            told.level(),
            told.role(),
            told.time(),
            told.deadlineNanos(),
            told.journeyDeadlineNanos(),
            this,
            told.traceparent(),
            told.key());
  }

  @Override
  public long advance(long nowNanos) {
    if (!started) {
      started = true;
      startNanos = nowNanos;
      if (overtime != null) {
        overtime.started();
      }
      arm();
      try {
        machinery.start(form.port().holdsCarrier(), this::run);
      } catch (RuntimeException | Error noThread) {
        whenOver.run();
        throw noThread;
      }
    }
    return Bell.NEVER;
  }

  @Override
  public @Nullable Result<T> result() {
    return result;
  }

  @Override
  public void cancel(Cut why) {
    cut(why);
  }

  @Override
  public void limitTo(long newEndNanos, Cut newWhenReached) {
    synchronized (this) {
      if (unlimited || result != null) {
        return;
      }
      endNanos = newEndNanos;
      whenReached = newWhenReached;
      if (started) {
        arm();
      }
    }
  }

  /** From here on only {@link #cancel} ends the call. */
  synchronized void unlimited() {
    unlimited = true;
    disarm();
  }

  StageForm form() {
    return form;
  }

  StageCall.Role role() {
    return stageCall.role();
  }

  boolean started() {
    return started;
  }

  long startNanos() {
    return startNanos;
  }

  /** Until the call ended or was cut; zero before. */
  long elapsedNanos() {
    return elapsedNanos;
  }

  @Override
  public boolean cancelled() {
    return result instanceof Result.CutOff && !late;
  }

  @Override
  public void onCancel(Runnable close) {
    synchronized (this) {
      if (!cancelled()) {
        if (closers.isEmpty()) {
          closers = new ArrayList<>(2);
        }
        closers.add(close);
        return;
      }
    }
    close.run();
  }

  private synchronized void arm() {
    disarm();
    if (result == null) {
      alarm = machinery.timer().arm(endNanos, this::timeUp);
    }
  }

  private void disarm() {
    if (alarm != null) {
      alarm.disarm();
      alarm = null;
    }
  }

  private void timeUp() {
    Cut reached;
    synchronized (this) {
      if (unlimited || machinery.time().nanos() - endNanos < 0) {
        return;
      }
      reached = whenReached;
    }
    if (reached == Cut.CAP && overtime != null && overtime.begins(machinery.time().nanos())) {
      goOn(overtime);
    } else {
      cut(reached);
    }
  }

  /** The call is cut off for whoever waits for it, and its work goes on. */
  private void goOn(Overtime unseen) {
    synchronized (this) {
      // Whoever sees the result sees that the call is not cancelled.
      late = true;
      if (!settle(new Result.CutOff<>(Cut.CAP))) {
        late = false;
      } else {
        alarm = machinery.timer().arm(unseen.endNanos(), this::lateUp);
      }
    }
    if (late) {
      bell.ring();
      unseen.goesOn(this);
    } else {
      unseen.over(this, null);
    }
  }

  private void lateUp() {
    giveUpLate(new Result.CutOff<>(Cut.CAP));
  }

  /** Ends work that goes on after its cut; without effect on any other. */
  void giveUpLate() {
    giveUpLate(null);
  }

  private void giveUpLate(@Nullable Result<T> unfinished) {
    List<Runnable> toClose;
    synchronized (this) {
      if (!late) {
        return;
      }
      late = false;
      disarm();
      toClose = stopWork();
    }
    closeAside(toClose);
    if (overtime != null) {
      overtime.over(this, unfinished);
    }
  }

  private void run() {
    try {
      work();
    } finally {
      whenOver.run();
    }
  }

  private void work() {
    synchronized (this) {
      if (result != null && !late) {
        return;
      }
      thread = Thread.currentThread();
    }
    Result<T> own;
    try {
      own = new Result.Value<>(work.run(stageCall));
    } catch (BackendException e) {
      String message = e.getMessage();
      own =
          new Result.Failure<>(
              e.kind(), message == null ? e.kind().label() : message, e.retryAfterNanos());
    } catch (CallCancelledException | InterruptedException e) {
      own = gaveUp();
    } catch (Exception | Error bug) {
      own =
          new Result.Failure<>(
              BackendException.Kind.SERVER_ERROR,
              form.backend() + " failed with " + bug.getClass().getSimpleName());
    }
    end(own);
  }

  /** The backend saw by itself that its time is up, or it stopped for a reason of its own. */
  private synchronized Result<T> gaveUp() {
    return !unlimited && machinery.time().nanos() - endNanos >= 0
        ? new Result.CutOff<>(whenReached)
        : new Result.Failure<>(
            BackendException.Kind.UNAVAILABLE, form.backend() + " stopped before its time was up");
  }

  private void end(Result<T> own) {
    boolean wasLate;
    synchronized (this) {
      // A late cut must not interrupt the next work of a pooled thread.
      thread = null;
      wasLate = late;
      late = false;
      if (wasLate) {
        disarm();
      } else if (!settle(own)) {
        return;
      }
    }
    if (!wasLate) {
      bell.ring();
    } else if (overtime != null) {
      overtime.over(this, own);
    }
  }

  private void cut(Cut why) {
    List<Runnable> toClose;
    synchronized (this) {
      if (!settle(new Result.CutOff<>(why))) {
        return;
      }
      toClose = stopWork();
    }
    closeAside(toClose);
    bell.ring();
  }

  /**
   * With the monitor held.
   *
   * @return what closes the call's connections
   */
  private List<Runnable> stopWork() {
    if (thread != null) {
      thread.interrupt();
    }
    return closers;
  }

  private void closeAside(List<Runnable> toClose) {
    if (!toClose.isEmpty()) {
      machinery.start(false, () -> close(toClose));
    }
  }

  /** With the monitor held. */
  private boolean settle(Result<T> outcome) {
    if (result != null) {
      return false;
    }
    elapsedNanos = started ? machinery.time().nanos() - startNanos : 0;
    result = outcome;
    disarm();
    return true;
  }

  private static void close(List<Runnable> closers) {
    for (Runnable closer : closers) {
      try {
        closer.run();
      } catch (RuntimeException e) {
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, e);
      }
    }
  }
}
