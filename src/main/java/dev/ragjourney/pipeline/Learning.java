package dev.ragjourney.pipeline;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * What one pod does only to learn: calls that go on after their cut, and journeys that try a better
 * level than their time picks. None of it while the pod has too much to do, or is going away.
 */
final class Learning {
  private static final long BETWEEN_PROBES = 1_000_000_000L;

  private final Set<Call<?>> late = ConcurrentHashMap.newKeySet();
  private final AtomicLong lastProbe;
  private volatile BooleanSupplier spare = () -> true;
  private volatile boolean over;

  Learning(MonotonicTime time) {
    lastProbe = new AtomicLong(time.nanos() - BETWEEN_PROBES);
  }

  void whileSpare(BooleanSupplier newSpare) {
    spare = newSpare;
  }

  /** The pod has time for it. */
  boolean welcome() {
    return !over && spare.getAsBoolean();
  }

  /** Whether a journey may try a better level now: at most one a second. */
  boolean takeProbe(long nowNanos) {
    long last = lastProbe.get();
    return nowNanos - last >= BETWEEN_PROBES && lastProbe.compareAndSet(last, nowNanos);
  }

  void goesOn(Call<?> call) {
    late.add(call);
    if (over) {
      call.giveUpLate();
    }
  }

  void ended(Call<?> call) {
    late.remove(call);
  }

  /** Ends what goes on in the background; nothing more will. */
  void end() {
    over = true;
    late.forEach(Call::giveUpLate);
  }
}
