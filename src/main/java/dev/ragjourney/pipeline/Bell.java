package dev.ragjourney.pipeline;

/** Wakes one journey's thread; rung by ended calls, by the timer and by the caller's leaving. */
final class Bell implements Runnable {
  /** Nothing but a ring wakes. */
  static final long NEVER = Long.MAX_VALUE;

  private final Machinery machinery;
  private final Thread owner = Thread.currentThread();
  private volatile boolean rung;

  Bell(Machinery machinery) {
    this.machinery = machinery;
  }

  void ring() {
    if (!rung) {
      rung = true;
      machinery.unpark(owner);
    }
  }

  @Override
  public void run() {
    ring();
  }

  /**
   * Returns when the bell rang since the last return, or at the given moment.
   *
   * @throws InterruptedException if the journey's thread is interrupted
   */
  void await(long atNanos) throws InterruptedException {
    if (!rung) {
      DeadlineTimer.Armed alarm =
          atNanos == NEVER ? () -> {} : machinery.timer().arm(atNanos, this);
      try {
        while (!rung) {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          machinery.park();
        }
      } finally {
        alarm.disarm();
      }
    }
    rung = false;
  }
}
