package dev.ragjourney.backends.embedded;

import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.StageCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Calls for tests of backends. */
public final class Calls {
  private Calls() {}

  /** A call with plenty of time. */
  public static StageCall patient() {
    return within(Duration.ofMinutes(2));
  }

  public static StageCall within(Duration allowance) {
    return within(allowance, Cancellation.NONE);
  }

  public static StageCall within(Duration allowance, Cancellation cancellation) {
    long deadline = System.nanoTime() + allowance.toNanos();
    return new StageCall(
        "stage",
        0,
        StageCall.Role.PRIMARY,
        MonotonicTime.system(),
        deadline,
        deadline,
        cancellation,
        null);
  }

  /** Cuts a call off when told to, or after its call was checked so many times. */
  public static final class Cutter implements Cancellation {
    private final List<Runnable> closes = new CopyOnWriteArrayList<>();
    private final int checks;
    private int asked;
    private volatile boolean cut;

    public Cutter() {
      this(Integer.MAX_VALUE);
    }

    public Cutter(int checks) {
      this.checks = checks;
    }

    public synchronized void cut() {
      cut = true;
      closes.forEach(Runnable::run);
    }

    /** How often the call asked whether it is over. */
    public synchronized int asked() {
      return asked;
    }

    public boolean listened() {
      return !closes.isEmpty();
    }

    @Override
    public synchronized boolean cancelled() {
      asked++;
      return cut || asked > checks;
    }

    @Override
    public synchronized void onCancel(Runnable close) {
      closes.add(close);
      if (cut) {
        close.run();
      }
    }
  }
}
