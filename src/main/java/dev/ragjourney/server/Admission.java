package dev.ragjourney.server;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many journeys are on their way, and whether the pod is closing. */
final class Admission {
  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition empty = lock.newCondition();
  private int inside;
  private volatile boolean closing;

  Admission(int limit) {
    this.limit = limit;
  }

  int limit() {
    return limit;
  }

  boolean enter() {
    lock.lock();
    try {
      if (inside >= limit) {
        return false;
      }
      inside++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      inside--;
      if (inside == 0) {
        empty.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  int inside() {
    lock.lock();
    try {
      return inside;
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

  /**
   * Waits until no journey is on its way.
   *
   * @return whether that came before the limit
   */
  boolean awaitEmpty(Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    lock.lock();
    try {
      while (inside > 0 && nanos > 0) {
        nanos = empty.awaitNanos(nanos);
      }
      return inside == 0;
    } finally {
      lock.unlock();
    }
  }
}
