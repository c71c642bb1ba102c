package dev.ragjourney.pipeline;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A hashed wheel: {@value #SLOTS} slots of 2^{@value #TICK_SHIFT} ns (about 1 ms). Arming and
 * disarming take one slot's lock and leave nothing behind; a deadline fires at most one tick late
 * and never early. Deadlines further away than one turn wait in their slot for their turn.
 *
 * <p>The thread ticks only while deadlines are armed, and a second longer, so that a busy pod wakes
 * nobody when it arms and an idle pod sleeps.
 */
final class WheelTimer implements DeadlineTimer, AutoCloseable {
  private static final int TICK_SHIFT = 20;
  private static final int SLOTS = 1024;
  private static final int IDLE_TICKS = 1000;

  private final MonotonicTime time;
  private final Slot[] slots = new Slot[SLOTS];
  private final AtomicInteger armed = new AtomicInteger();
  private final Thread thread;
  private volatile long reached;
  private volatile boolean asleep;
  private volatile boolean closed;

  WheelTimer(MonotonicTime time) {
    this.time = time;
    for (int i = 0; i < SLOTS; i++) {
      slots[i] = new Slot();
    }
    reached = time.nanos() >> TICK_SHIFT;
    thread = Thread.ofPlatform().name("deadline-timer").daemon().unstarted(this::tick);
    thread.start();
  }

  @Override
  public Armed arm(long atNanos, Runnable task) {
    // A deadline in the past goes where the next tick looks first.
    long tick = Math.max(atNanos, time.nanos()) >> TICK_SHIFT;
    Deadline deadline = new Deadline(slots[slotOf(tick)], atNanos, task);
    deadline.enter();
    // The wheel may have passed the slot since the clock was read.
    while (reached - tick > 0) {
      tick = reached;
      deadline.moveTo(slots[slotOf(tick)]);
    }
    if (asleep) {
      LockSupport.unpark(thread);
    }
    return deadline;
  }

  /** Deadlines that are neither fired nor disarmed. */
  int armed() {
    return armed.get();
  }

  boolean asleep() {
    return asleep;
  }

  /** Stops ticking; what is still armed never fires. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void tick() {
    int idle = 0;
    while (!closed) {
      long now = time.nanos();
      long from = reached;
      long current = now >> TICK_SHIFT;
      // Told before looking, so that whoever arms for a tick looked at already knows.
      reached = current;
      for (long tick = Math.max(from, current - SLOTS + 1); tick <= current; tick++) {
        fire(slots[slotOf(tick)], now);
      }
      idle = armed.get() == 0 ? idle + 1 : 0;
      if (idle > IDLE_TICKS) {
        sleep();
        idle = 0;
      } else {
        LockSupport.parkNanos(this, ((current + 1) << TICK_SHIFT) - time.nanos());
      }
    }
  }

  private void sleep() {
    asleep = true;
    while (armed.get() == 0 && !closed) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  private static void fire(Slot slot, long now) {
    @Nullable Deadline due = slot.takeDue(now);
    while (due != null) {
      Deadline next = due.next;
      due.next = null;
      try {
        due.task.run();
      } catch (RuntimeException | Error bug) {
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, bug);
      }
      due = next;
    }
  }

  private static int slotOf(long tick) {
    return (int) tick & (SLOTS - 1);
  }

  /** A doubly linked list, guarded by its own monitor. */
  private static final class Slot {
    private @Nullable Deadline first;

    /** Unlinks everything due and chains it by {@code next}. */
    synchronized @Nullable Deadline takeDue(long now) {
      Deadline due = null;
      Deadline each = first;
      while (each != null) {
        Deadline next = each.next;
        if (each.atNanos - now <= 0) {
          each.leave();
          each.next = due;
          due = each;
        }
        each = next;
      }
      return due;
    }
  }

  // The slot changes only in moveTo, before anybody else has the deadline.
  @SuppressWarnings("SynchronizeOnNonFinalField")
  private final class Deadline implements Armed {
    private Slot slot;
    private final long atNanos;
    private final Runnable task;
    private @Nullable Deadline previous;
    private @Nullable Deadline next;
    private boolean linked;

    Deadline(Slot slot, long atNanos, Runnable task) {
      this.slot = slot;
      this.atNanos = atNanos;
      this.task = task;
    }

    void enter() {
      armed.incrementAndGet();
      synchronized (slot) {
        next = slot.first;
        if (next != null) {
          next.previous = this;
        }
        slot.first = this;
        linked = true;
      }
    }

    /** Only before anybody else has this deadline. */
    void moveTo(Slot later) {
      synchronized (slot) {
        if (!linked) {
          return;
        }
        leave();
      }
      slot = later;
      enter();
    }

    @Override
    public void disarm() {
      synchronized (slot) {
        if (linked) {
          leave();
        }
      }
    }

    /** With the slot's monitor held. */
    private void leave() {
      if (previous == null) {
        slot.first = next;
      } else {
        previous.next = next;
      }
      if (next != null) {
        next.previous = previous;
      }
      previous = null;
      next = null;
      linked = false;
      armed.decrementAndGet();
    }
  }
}
