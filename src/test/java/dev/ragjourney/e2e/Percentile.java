package dev.ragjourney.e2e;

import java.util.Collection;

/** Nearest rank. */
final class Percentile {
  private Percentile() {}

  /**
   * @param p 0…1, 1 for the largest
   */
  static long of(Collection<Long> values, double p) {
    long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
    return sorted[Math.clamp((int) Math.ceil(p * sorted.length) - 1, 0, sorted.length - 1)];
  }
}
