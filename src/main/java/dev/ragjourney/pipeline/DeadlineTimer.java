package dev.ragjourney.pipeline;

/** The one timer of a pod: it cuts calls off and wakes journeys up. */
public interface DeadlineTimer {
  /**
   * Runs the task once at the given moment, or very soon if it has passed, unless disarmed before.
   * The task runs on the timer's thread: it must not block.
   */
  Armed arm(long atNanos, Runnable task);

  /** One armed deadline. */
  interface Armed {
    /** Frees the deadline; without effect once it has fired. */
    void disarm();
  }
}
