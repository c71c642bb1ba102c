package dev.ragjourney.cli;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Shares;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as people read them; what is not known is null. */
final class Shown {
  private static final double PERCENT = 100;
  private static final double DECIMALS = 1e4;

  private Shown() {}

  /** To the millisecond, like {@code 1s500ms}. */
  static @Nullable String duration(@Nullable Duration duration) {
    return duration == null ? null : Durations.formatRounded(duration);
  }

  /** To a tenth of a percent, like {@code 12.5 %}. */
  static @Nullable String percent(@Nullable Double ratio) {
    return ratio == null ? null : String.format(Locale.ROOT, "%.1f %%", ratio * PERCENT);
  }

  /** A difference, like {@code +1.5}. */
  static String points(double ratio) {
    return String.format(Locale.ROOT, "%+.1f", ratio * PERCENT);
  }

  /** For programs: from 0 to 1, four decimals. */
  static @Nullable Double ratio(@Nullable Double ratio) {
    return ratio == null ? null : Math.round(ratio * DECIMALS) / DECIMALS;
  }

  /** A share as a resource spells it; null where it cannot be read. */
  static @Nullable Double share(@Nullable String text) {
    try {
      return text == null ? null : Shares.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
