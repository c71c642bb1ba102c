package dev.ragjourney.simulate;

/** How long the calls of one journey take. */
interface Latencies {
  /**
   * @param law by its number in {@link LawKeys}
   * @param ordinal 0 for the journey's first call under this law, 1 for the second
   * @return nanoseconds; the complement for a call that fails then
   */
  long nanos(int law, int ordinal);
}
