package dev.ragjourney.rebalance;

import dev.ragjourney.rebalance.StageModel.Range;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which values of a knob are tried. */
enum Choices {
  /** The whole range, coarsely at first where it is long. */
  FAR,
  /** The neighbourhood. */
  NEAR;

  private static final int SHORT = 24;
  private static final int NEIGHBOUR = 3;

  int firstStride(Range range) {
    int span = range.highest() - range.lowest();
    if (this == NEAR) {
      return NEIGHBOUR;
    }
    int stride = 1;
    while (span / stride > SHORT) {
      stride *= 4;
    }
    return stride;
  }

  /** How far from a value to look at first. */
  int reach(Range range) {
    return this == NEAR ? NEIGHBOUR : range.highest() - range.lowest();
  }

  /** A value, and every so many up to some distance from it, and the ends where they are near. */
  int[] around(int value, Range range, int stride, int reach) {
    SortedSet<Integer> values = new TreeSet<>();
    values.add(range.clamp(value));
    for (int distance = stride; distance < reach + stride; distance += stride) {
      values.add(range.clamp(value - Math.min(distance, reach)));
      values.add(range.clamp(value + Math.min(distance, reach)));
    }
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
