package dev.ragjourney.operator;

import dev.ragjourney.rebalance.JourneyId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Signals that concern the whole fleet at once, let through a few at a time: all together they
 * would stand in the queue before whatever happens to a single journey meanwhile.
 */
final class PacedSignals {
  /** So many are in the queue or being reconciled. */
  static final int AT_ONCE = 8;

  /** A signal that no reconcile follows, as of a journey that is gone, gives its place away. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Consumer<JourneyId> signal;
  private final LongSupplier nanos;
  private final SequencedSet<JourneyId> waiting = new LinkedHashSet<>();

  /** When each was let through. */
  private final Map<JourneyId, Long> out = new HashMap<>();

  /**
   * @param nanos a monotonic clock
   */
  PacedSignals(Consumer<JourneyId> signal, LongSupplier nanos) {
    this.signal = signal;
    this.nanos = nanos;
  }

  /** Signals the journey when its turn comes; once, however often it is offered until then. */
  synchronized void offer(JourneyId id) {
    waiting.add(id);
    letThrough();
  }

  /** The same before all that wait. */
  synchronized void offerFirst(JourneyId id) {
    waiting.addFirst(id);
    letThrough();
  }

  /** A reconcile of the journey is over, whatever it began with. */
  synchronized void reconciled(JourneyId id) {
    out.remove(id);
    letThrough();
  }

  private void letThrough() {
    if (waiting.isEmpty()) {
      return;
    }
    long now = nanos.getAsLong();
    out.values().removeIf(since -> now - since > PATIENCE.toNanos());
    while (out.size() < AT_ONCE && !waiting.isEmpty()) {
      JourneyId next = waiting.removeFirst();
      out.put(next, now);
      signal.accept(next);
    }
  }
}
