package dev.ragjourney.budget;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as GEP-2257 spells them: one to four whole numbers of at most five digits, each with a
 * unit of {@code h}, {@code m}, {@code s} or {@code ms}, like {@code 1s500ms}. No sign, no
 * decimals.
 */
public final class Durations {
  /** The pattern of the resource's schema. */
  public static final String PATTERN = "^([0-9]{1,5}(h|m|s|ms)){1,4}$";

  private static final int MAX_DIGITS = 5;
  private static final int MAX_PARTS = 4;
  private static final Pattern PART = Pattern.compile("([0-9]+)(ms|h|m|s)");
  private static final Pattern DECIMAL = Pattern.compile("([0-9]{1,5})\\.([0-9]{1,9})(h|m|s|ms)");
  private static final String RIGHT =
      "write whole numbers with the units h, m, s or ms, like 1s500ms";

  private Durations() {}

  /**
   * @throws IllegalArgumentException with a sentence that says what is wrong and what would be
   *     right
   */
  public static Duration parse(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int position = 0;
    int parts = 0;
    while (part.region(position, text.length()).lookingAt()) {
      String digits = part.group(1);
      if (digits.length() > MAX_DIGITS) {
        throw wrong(text, "has a number of more than 5 digits; use a larger unit");
      }
      if (++parts > MAX_PARTS) {
        throw wrong(text, "has more than 4 parts; " + RIGHT);
      }
      sum = sum.plus(unit(part.group(2)).multipliedBy(Long.parseLong(digits)));
      position = part.end();
    }
    if (position < text.length() || text.isEmpty()) {
      throw wrong(text, complaint(text, position));
    }
    return sum;
  }

  /**
   * As {@link #parse}, but zero is wrong too.
   *
   * @throws IllegalArgumentException with a sentence that says what is wrong and what would be
   *     right
   */
  public static Duration parsePositive(String text) {
    Duration parsed = parse(text);
    if (parsed.isZero()) {
      throw wrong(text, "is zero; at least 1ms is needed here");
    }
    return parsed;
  }

  /**
   * The shortest spelling, largest unit first; zero is {@code 0s}.
   *
   * @throws IllegalArgumentException if the duration is negative, is not a whole number of
   *     milliseconds or has more than 99999 hours
   */
  public static String format(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "A negative duration (%s) has no spelling.".formatted(duration));
    }
    if (duration.toNanosPart() % 1_000_000 != 0) {
      throw new IllegalArgumentException(
          "%s is not a whole number of milliseconds; round it first.".formatted(duration));
    }
    if (duration.toHours() > 99_999) {
      throw new IllegalArgumentException("%s is longer than 99999 hours.".formatted(duration));
    }
    if (duration.isZero()) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toHours(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.toString();
  }

  /** Rounds to the nearest millisecond, then formats: for measured values. */
  public static String formatRounded(Duration duration) {
    return format(Duration.ofMillis(duration.plusNanos(500_000).toMillis()));
  }

  private static void append(StringBuilder text, long number, String unit) {
    if (number > 0) {
      text.append(number).append(unit);
    }
  }

  private static Duration unit(String unit) {
    return switch (unit) {
      case "h" -> Duration.ofHours(1);
      case "m" -> Duration.ofMinutes(1);
      case "s" -> Duration.ofSeconds(1);
      default -> Duration.ofMillis(1);
    };
  }

  private static IllegalArgumentException wrong(String text, String complaint) {
    return new IllegalArgumentException("'" + text + "' " + complaint + ".");
  }

  private static String complaint(String text, int position) {
    if (text.isBlank()) {
      return "is empty; " + RIGHT;
    }
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      return "has decimals; " + inWholeUnits(decimal);
    }
    char found = text.charAt(position);
    if (found == '-' || found == '+') {
      return "has a sign; a duration is never negative and needs none";
    }
    if (text.chars().anyMatch(Character::isWhitespace)) {
      return "has a blank in it; " + RIGHT;
    }
    String rest = text.substring(position);
    if (rest.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return "has no unit after " + rest + "; " + RIGHT;
    }
    return "cannot be read at '" + rest + "'; " + RIGHT;
  }

  private static String inWholeUnits(Matcher decimal) {
    BigDecimal nanos =
        new BigDecimal(decimal.group(1) + "." + decimal.group(2))
            .multiply(BigDecimal.valueOf(unit(decimal.group(3)).toNanos()));
    Duration nearest = Duration.ofNanos(nanos.longValue());
    boolean exact = nearest.toNanosPart() % 1_000_000 == 0 && !nearest.isZero();
    return exact ? "write " + format(nearest) : RIGHT;
  }
}
