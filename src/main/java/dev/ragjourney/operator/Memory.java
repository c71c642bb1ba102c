package dev.ragjourney.operator;

import dev.ragjourney.rebalance.JourneyId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What this process remembers of journeys ends with them: nothing is kept of one that is gone, and
 * nothing passes on to another one with its name.
 */
final class Memory implements AutoCloseable {
  private static final Duration SWEEP = Duration.ofMinutes(1);

  private final Predicate<JourneyId> exists;
  private final List<Consumer<JourneyId>> forget;
  private final Map<JourneyId, String> uids = new ConcurrentHashMap<>();
  private final Repeating thread = new Repeating("forget-journeys");

  Memory(Predicate<JourneyId> exists, List<Consumer<JourneyId>> forget) {
    this.exists = exists;
    this.forget = List.copyOf(forget);
  }

  void start() {
    thread.start(SWEEP, this::sweep);
  }

  /** To be called before anything is remembered of a journey. */
  void meet(JourneyId id, String uid) {
    String before = uids.put(id, uid);
    if (before != null && !before.equals(uid)) {
      forget.forEach(each -> each.accept(id));
    }
  }

  void sweep() {
    for (JourneyId id : Set.copyOf(uids.keySet())) {
      if (!exists.test(id)) {
        uids.remove(id);
        forget.forEach(each -> each.accept(id));
      }
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
