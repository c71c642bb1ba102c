package dev.ragjourney.pipeline;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/**
 * Real threads, made time: the clock stands still while any thread runs, and jumps to the next
 * event when all of them wait. A journey of seconds takes microseconds and ends at the same
 * nanosecond each time.
 */
final class VirtualMachinery implements Machinery {
  private static final Comparator<Event> BY_TIME =
      Comparator.<Event>comparingLong(e -> e.atNanos).thenComparingLong(e -> e.order);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition allEnded = lock.newCondition();
  private final PriorityQueue<Event> events = new PriorityQueue<>(BY_TIME);
  private final Map<Thread, Waiter> waiters = new HashMap<>();
  private long now = 1_000_000_000L;
  private long orders;
  private int running;
  private int started;
  private int ended;
  private volatile DoubleSupplier chance = () -> 0;
  private volatile boolean inTurn;

  /** Of the thread that whoever started it waits for. */
  private final ThreadLocal<CountDownLatch> turn = new ThreadLocal<>();

  /** A test's piece of work that is not allowed to fail. */
  interface Work<T> {
    T run() throws Exception;
  }

  /** Runs the journey on the current thread; time passes only while it and its calls wait. */
  <T> T live(Work<T> work) throws Exception {
    enter();
    try {
      return work.run();
    } finally {
      leave();
    }
  }

  /** What a scripted backend does for so long; ends early if it is interrupted. */
  void takes(long nanos) throws InterruptedException {
    lock.lock();
    try {
      Event wake = new Event(now + Math.max(0, nanos), orders++, null, lock.newCondition());
      events.add(wake);
      running--;
      endTurn();
      try {
        advance();
        while (!wake.fired) {
          wake.condition.await();
        }
      } catch (InterruptedException cut) {
        if (!wake.fired) {
          events.remove(wake);
          running++;
        }
        throw cut;
      }
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #takes}, but deaf to interrupts. */
  void takesStubbornly(long nanos) {
    long until = time().nanos() + nanos;
    boolean interrupted = false;
    while (time().nanos() < until) {
      try {
        takes(until - time().nanos());
      } catch (InterruptedException ignored) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Blocks until the thread of every call has ended. */
  void awaitEnded() {
    lock.lock();
    try {
      while (started != ended) {
        allEnded.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Deadlines and sleeps that are still to come. */
  int pending() {
    lock.lock();
    try {
      return events.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public MonotonicTime time() {
    return () -> {
      lock.lock();
      try {
        return now;
      } finally {
        lock.unlock();
      }
    };
  }

  @Override
  public DeadlineTimer timer() {
    return (atNanos, task) -> {
      lock.lock();
      try {
        Event event = new Event(atNanos, orders++, task, lock.newCondition());
        events.add(event);
        return () -> {
          lock.lock();
          try {
            events.remove(event);
          } finally {
            lock.unlock();
          }
        };
      } finally {
        lock.unlock();
      }
    };
  }

  @Override
  public void start(boolean holdsCarrier, Runnable work) {
    enter();
    CountDownLatch waits = new CountDownLatch(inTurn ? 1 : 0);
    Thread.startVirtualThread(
        () -> {
          turn.set(waits);
          try {
            work.run();
          } finally {
            endTurn();
            leave();
          }
        });
    try {
      waits.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void endTurn() {
    CountDownLatch waits = turn.get();
    if (waits != null) {
      waits.countDown();
    }
  }

  /**
   * From here on a thread that is started comes to its first wait before whoever started it goes
   * on: threads that start at the same instant do so in the same order each time.
   */
  void startInTurn() {
    inTurn = true;
  }

  @Override
  public void park() {
    lock.lock();
    try {
      Waiter waiter = waiters.computeIfAbsent(Thread.currentThread(), t -> new Waiter(lock));
      if (waiter.permit) {
        waiter.permit = false;
        return;
      }
      waiter.waiting = true;
      running--;
      advance();
      while (!waiter.permit) {
        waiter.condition.awaitUninterruptibly();
      }
      waiter.permit = false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unpark(Thread thread) {
    lock.lock();
    try {
      Waiter waiter = waiters.computeIfAbsent(thread, t -> new Waiter(lock));
      waiter.permit = true;
      if (waiter.waiting) {
        waiter.waiting = false;
        running++;
        waiter.condition.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public double chance() {
    return chance.getAsDouble();
  }

  /** What is drawn from here on; 0 until told otherwise. */
  void chance(DoubleSupplier source) {
    chance = source;
  }

  @Override
  public void close() {}

  private void enter() {
    lock.lock();
    try {
      running++;
      started++;
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    lock.lock();
    try {
      running--;
      ended++;
      waiters.remove(Thread.currentThread());
      allEnded.signalAll();
      advance();
    } finally {
      lock.unlock();
    }
  }

  /** With the lock held: while nobody runs, jumps from event to event. */
  private void advance() {
    while (running == 0 && !events.isEmpty()) {
      Event next = events.poll();
      now = Math.max(now, next.atNanos);
      next.fired = true;
      running++;
      Runnable task = next.task;
      if (task == null) {
        next.condition.signal();
        return;
      }
      lock.unlock();
      try {
        task.run();
      } finally {
        lock.lock();
      }
      running--;
    }
  }

  private static final class Event {
    private final long atNanos;
    private final long order;
    private final Runnable task;
    private final Condition condition;
    private boolean fired;

    Event(long atNanos, long order, Runnable task, Condition condition) {
      this.atNanos = atNanos;
      this.order = order;
      this.task = task;
      this.condition = condition;
    }
  }

  private static final class Waiter {
    private final Condition condition;
    private boolean permit;
    private boolean waiting;

    Waiter(ReentrantLock lock) {
      condition = lock.newCondition();
    }
  }
}
