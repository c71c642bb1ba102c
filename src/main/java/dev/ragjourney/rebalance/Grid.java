package dev.ragjourney.rebalance;

import java.time.Duration;

/**
 * A journey's time in equal steps.
 *
 * <p>A time is rounded to the nearest point, so the horizon lies half a step behind the last one:
 * rounding errors then cancel out along a journey instead of adding up.
 *
 * @param last the last point that is in time; the first is 0
 * @param step in seconds
 */
record Grid(int last, double step) {
  /** The horizon in that many steps and a half. */
  static Grid of(Duration horizon, int last) {
    return new Grid(last, Seconds.of(horizon) / (last + 0.5));
  }

  /** The last point that a limit lets through; a limit beyond the horizon lets all through. */
  int upTo(Duration limit) {
    return Math.clamp(Math.round(Seconds.of(limit) / step - 0.5), 0, last);
  }

  /** The limit that lets through everything up to a point. */
  double limit(int point) {
    return (point + 0.5) * step;
  }

  /** How many points a time takes away from the horizon; negative times take none. */
  int points(Duration time) {
    return Math.clamp(Math.round(Seconds.of(time) / step), 0, last + 1);
  }

  double seconds(int points) {
    return points * step;
  }
}
