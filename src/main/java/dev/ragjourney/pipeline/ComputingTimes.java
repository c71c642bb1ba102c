package dev.ragjourney.pipeline;

/** Told how calls that compute on this machine were served by its processors. */
@FunctionalInterface
public interface ComputingTimes {
  /**
   * Runs on the call's thread and returns at once.
   *
   * @param wallNanos from the call's being handed over to its end
   * @param cpuNanos of its thread
   */
  void computed(long wallNanos, long cpuNanos);
}
