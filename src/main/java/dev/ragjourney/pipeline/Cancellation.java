package dev.ragjourney.pipeline;

/** How a running call learns that it is over, and how its connection gets closed. */
public interface Cancellation {
  boolean cancelled();

  /**
   * Registers what closes the call's connection. Runs at once if the call is already over, else at
   * most once, on a thread that waits for nothing else; what it throws is not seen by anybody.
   */
  void onCancel(Runnable close);

  /** A call that is never cut off. */
  Cancellation NONE =
      new Cancellation() {
        @Override
        public boolean cancelled() {
          return false;
        }

        @Override
        public void onCancel(Runnable close) {}
      };
}
