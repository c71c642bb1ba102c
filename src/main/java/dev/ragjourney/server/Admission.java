package dev.ragjourney.server;

import dev.ragjourney.budget.Deadline;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Caller;
import dev.ragjourney.pipeline.MonotonicTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Which questions become journeys, when, and at which level; and whether the pod is closing. */
final class Admission {
  /** How much the latest journey counts in the mean. */
  private static final double WEIGHT = 0.1;

  private final ConcurrencyLimit limit;
  private final MonotonicTime time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition empty = lock.newCondition();
  private final Deque<Place> queue = new ArrayDeque<>();
  private final Set<Place> present = new HashSet<>();
  private int inside;
  private int spared;
  private double meanNanos;
  private volatile boolean closing;

  Admission(ConcurrencyLimit limit, MonotonicTime time) {
    this.limit = limit;
    this.time = time;
  }

  private enum State {
    WAITING,
    INSIDE,
    SPARED
  }

  /**
   * A question that arrived: it has a place, or stands in the queue for one.
   *
   * @throws OverloadedException if it is refused at once
   */
  Place arrive(Ladder ladder, Deadline deadline) throws OverloadedException {
    lock.lock();
    try {
      AdmissionDecision decision =
          AdmissionRule.decide(now(), ladder, deadline.remaining(time.nanos()));
      Place place =
          switch (decision) {
            case AdmissionDecision.Admit(int level, boolean past) ->
                new Place(ladder, past ? State.SPARED : State.INSIDE, level, 0);
            case AdmissionDecision.Queue(long atMost) ->
                new Place(ladder, State.WAITING, 0, time.nanos() + atMost);
            case AdmissionDecision.Refuse(int seconds) -> throw new OverloadedException(seconds);
          };
      present.add(place);
      switch (place.state) {
        case INSIDE -> count(1);
        case SPARED -> spared++;
        case WAITING -> queue.addLast(place);
      }
      return place;
    } finally {
      lock.unlock();
    }
  }

  private Load now() {
    return new Load(
        inside, Math.max(1, limit.current()), queue.size(), spared, Math.round(meanNanos));
  }

  private void count(int more) {
    inside += more;
    limit.inFlight(inside);
  }

  /** What there is to do now. */
  Load load() {
    lock.lock();
    try {
      return now();
    } finally {
      lock.unlock();
    }
  }

  /** Journeys on their way and questions that wait. */
  int inside() {
    lock.lock();
    try {
      return present.size();
    } finally {
      lock.unlock();
    }
  }

  /** The pod is going away: not ready any more, but requests that come are still served. */
  void close() {
    closing = true;
  }

  boolean closing() {
    return closing;
  }

  /** Ends every journey that is still on its way. */
  void cancelAll() {
    List<Place> all;
    lock.lock();
    try {
      all = List.copyOf(present);
    } finally {
      lock.unlock();
    }
    all.forEach(place -> place.caller.left());
  }

  /**
   * Waits until no journey is on its way.
   *
   * @return whether that came before the limit
   */
  boolean awaitEmpty(Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    lock.lock();
    try {
      while (!present.isEmpty() && nanos > 0) {
        nanos = empty.awaitNanos(nanos);
      }
      return present.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** One question's, until it is closed. */
  final class Place implements AutoCloseable {
    private final Ladder ladder;
    private final Caller caller = new Caller();
    private final Condition changed = lock.newCondition();
    private final long arrivedNanos = time.nanos();
    private final long refusedAtNanos;
    private State state;
    private int startLevel;
    private long startedNanos = arrivedNanos;

    private Place(Ladder ladder, State state, int startLevel, long refusedAtNanos) {
      this.ladder = ladder;
      this.state = state;
      this.startLevel = startLevel;
      this.refusedAtNanos = refusedAtNanos;
    }

    /** Over when the caller has left, or when the pod cannot wait for it any longer. */
    Caller caller() {
      return caller;
    }

    /**
     * Waits for the place.
     *
     * @return the level that the journey starts at
     * @throws OverloadedException if none became free in time
     * @throws CallCancelledException if the caller left
     */
    int await() throws OverloadedException, CallCancelledException {
      caller.onCancel(this::wake);
      lock.lock();
      try {
        while (state == State.WAITING) {
          long left = refusedAtNanos - time.nanos();
          if (caller.cancelled()) {
            throw new CallCancelledException();
          }
          if (left <= 0) {
            throw new OverloadedException(1);
          }
          var _ = changed.awaitNanos(left);
        }
        return startLevel;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CallCancelledException();
      } finally {
        lock.unlock();
      }
    }

    /** How long it stood in the queue. */
    long waitedNanos() {
      return startedNanos - arrivedNanos;
    }

    private void wake() {
      lock.lock();
      try {
        changed.signal();
      } finally {
        lock.unlock();
      }
    }

    private void start() {
      startLevel = AdmissionRule.startLevel(now(), ladder);
      state = State.INSIDE;
      startedNanos = time.nanos();
      changed.signal();
    }

    @Override
    public void close() {
      lock.lock();
      try {
        present.remove(this);
        switch (state) {
          case WAITING -> queue.remove(this);
          case SPARED -> spared--;
          case INSIDE -> {
            count(-1);
            long kept = time.nanos() - startedNanos;
            meanNanos = meanNanos == 0 ? kept : meanNanos + WEIGHT * (kept - meanNanos);
          }
        }
        while (!queue.isEmpty() && inside < limit.current()) {
          // The level is chosen while it still counts as waiting.
          queue.getFirst().start();
          queue.removeFirst();
          count(1);
        }
        if (present.isEmpty()) {
          empty.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
