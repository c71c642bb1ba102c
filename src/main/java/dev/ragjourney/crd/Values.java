package dev.ragjourney.crd;

import dev.ragjourney.budget.Durations;
import dev.ragjourney.budget.Shares;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads values whose spelling is known to be right. */
final class Values {
  private Values() {}

  static @Nullable Duration duration(@Nullable String text) {
    return text == null ? null : Durations.parse(text);
  }

  static Duration duration(@Nullable String text, Duration otherwise) {
    return text == null ? otherwise : Durations.parse(text);
  }

  static double share(@Nullable String text, double otherwise) {
    return text == null ? otherwise : Shares.parse(text);
  }

  static <T> List<T> list(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  /** Absent and false are the same. */
  static boolean isTrue(@Nullable Boolean value) {
    return value != null && value;
  }

  static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** A required field, after the field checks. */
  static <T> T given(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("A required field is absent after it was checked.");
    }
    return value;
  }
}
