package dev.ragjourney.e2e;

import java.util.Random;

/**
 * When questions arrive: at a steady pace, each moved by up to half a gap. The same seed gives the
 * same times.
 *
 * @param count of the questions
 * @param perSecond their pace
 */
record Arrivals(int count, double perSecond, long seed) {
  /** Nanoseconds after the start, rising. */
  long[] offsets() {
    Random random = new Random(seed);
    double gap = 1e9 / perSecond;
    long[] offsets = new long[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = Math.round((i + random.nextDouble() * 0.5) * gap);
    }
    return offsets;
  }
}
