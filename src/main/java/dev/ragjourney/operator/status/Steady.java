package dev.ragjourney.operator.status;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Shares;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Figures that stand still: rounded, and written anew only when they moved by more than they
 * wobble. A figure that became unknown is absent at once.
 */
final class Steady {
  /** Of the figure that is shown. */
  private static final double RELATIVE = 0.1;

  /** Shares that move by less than this are the same share: 0.2 points. */
  private static final double SHARE_STEP = 0.002;

  /** Percentages in a text that move by less wobble, however small they are. */
  static final double POINT = 1;

  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

  private Steady() {}

  /** Two significant digits, whole milliseconds. */
  static @Nullable String duration(@Nullable String shown, @Nullable Duration now) {
    if (now == null) {
      return null;
    }
    long millis = rounded(now.toMillis());
    try {
      if (shown != null && near((double) Durations.parse(shown).toMillis(), (double) millis, 1)) {
        return shown;
      }
    } catch (IllegalArgumentException unreadable) {
      return Durations.format(Duration.ofMillis(millis));
    }
    return Durations.format(Duration.ofMillis(millis));
  }

  /** To a tenth of a percent. */
  static @Nullable String share(@Nullable String shown, @Nullable Double now) {
    if (now == null || !Double.isFinite(now)) {
      return null;
    }
    double ratio = Math.round(Math.clamp(now, 0, 1) * 1000) / 1000.0;
    try {
      boolean edge = ratio == 0 || ratio == 1;
      if (shown != null && !edge && near(Shares.parse(shown), ratio, SHARE_STEP)) {
        return shown;
      }
    } catch (IllegalArgumentException unreadable) {
      return Shares.format(ratio);
    }
    return Shares.format(ratio);
  }

  static @Nullable Long count(@Nullable Long shown, @Nullable Long now) {
    if (now == null) {
      return null;
    }
    long value = rounded(now);
    return shown != null && near((double) shown, (double) value, 1) ? shown : Long.valueOf(value);
  }

  /** The message that is there when the new one differs in nothing but numbers that wobble. */
  static String message(@Nullable String shown, String now) {
    return message(shown, now, 0);
  }

  /**
   * @param step numbers that move by less wobble
   */
  static String message(@Nullable String shown, String now, double step) {
    if (shown == null || !shape(shown).equals(shape(now))) {
      return now;
    }
    double[] before = numbers(shown);
    double[] after = numbers(now);
    for (int i = 0; i < after.length; i++) {
      if (!near(before[i], after[i], step)) {
        return now;
      }
    }
    return shown;
  }

  private static boolean near(double shown, double now, double step) {
    return Math.abs(now - shown) <= Math.max(step, RELATIVE * Math.abs(shown));
  }

  private static long rounded(long value) {
    long unit = 1;
    while (value / unit >= 100) {
      unit *= 10;
    }
    return Math.round((double) value / unit) * unit;
  }

  private static String shape(String message) {
    return NUMBER.matcher(message).replaceAll("#");
  }

  private static double[] numbers(String message) {
    return NUMBER
        .matcher(message)
        .results()
        .map(MatchResult::group)
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
