package dev.ragjourney.pipeline;

import java.util.concurrent.ThreadLocalRandom;

/**
 * What journeys need of the machine: a clock, a timer, threads, waking up, and chance. A test
 * brings one whose time moves by hand.
 */
public interface Machinery extends AutoCloseable {
  MonotonicTime time();

  DeadlineTimer timer();

  /**
   * Starts the work of one call on a thread of its own.
   *
   * @param holdsCarrier the work is computation or native code, which would keep a virtual thread's
   *     carrier from all others
   */
  void start(boolean holdsCarrier, Runnable work);

  /** Blocks the current thread until it is unparked or interrupted, or for no reason. */
  void park();

  void unpark(Thread thread);

  /** At least 0 and below 1, drawn anew each time. */
  default double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }

  @Override
  void close();

  /** The machine's own clock and threads. */
  static Machinery real() {
    return new RealMachinery();
  }

  /**
   * The same.
   *
   * @param times told of every call that computes
   */
  static Machinery real(ComputingTimes times) {
    return new RealMachinery(times);
  }
}
