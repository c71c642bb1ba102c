package dev.ragjourney.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/** Shares as the resource spells them: a percentage like {@code 5%} or {@code 0.5%}. */
public final class Shares {
  /** The pattern of the resource's schema; that 100% is the most is checked here. */
  public static final String PATTERN = "^[0-9]{1,3}(\\.[0-9]{1,4})?%$";

  private static final Pattern SHAPE = Pattern.compile(PATTERN);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final int RATIO_DECIMALS = 6;

  private Shares() {}

  /**
   * @return the ratio, 0 to 1
   * @throws IllegalArgumentException with a sentence that says what is wrong and what would be
   *     right
   */
  public static double parse(String text) {
    if (!SHAPE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a share; write a percentage from 0% to 100%, like 5% or 0.5%.");
    }
    BigDecimal percent = new BigDecimal(text.substring(0, text.length() - 1));
    if (percent.compareTo(HUNDRED) > 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is more than the whole; 100% is the most.");
    }
    return percent.movePointLeft(2).doubleValue();
  }

  /**
   * The percentage, rounded to four decimals.
   *
   * @throws IllegalArgumentException if the ratio is not a number from 0 to 1
   */
  public static String format(double ratio) {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException(ratio + " is not a ratio from 0 to 1.");
    }
    return BigDecimal.valueOf(ratio)
            .setScale(RATIO_DECIMALS, RoundingMode.HALF_UP)
            .movePointRight(2)
            .stripTrailingZeros()
            .toPlainString()
        + "%";
  }
}
