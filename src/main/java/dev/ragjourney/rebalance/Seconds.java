package dev.ragjourney.rebalance;

import java.time.Duration;

/** Seconds as the metrics have them, durations as the budget has them. */
final class Seconds {
  private static final double NANOS = 1e9;

  private Seconds() {}

  static double of(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS;
  }

  /** Rounded to microseconds: no bucket tells more. */
  static Duration toDuration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e6) * 1_000);
  }

  /** For messages, like {@code 372 ms}. */
  static String text(Duration duration) {
    double millis = of(duration) * 1e3;
    return (millis < 10 ? Math.round(millis * 10) / 10.0 + "" : Math.round(millis) + "") + " ms";
  }
}
