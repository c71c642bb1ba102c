package dev.ragjourney.rebalance;

/**
 * What full answers are worth against missed ones.
 *
 * @param free share of missed answers that costs nothing
 * @param price in full answers of a missed one above that
 */
record Objective(double free, double price) {
  private static final double PRICE = 3;

  /** Most full answers, as long as no more than this share is missed. */
  static Objective missing(double atMost) {
    return new Objective(atMost, PRICE);
  }

  double worth(Forecast forecast) {
    return forecast.full() - price * Math.max(0, forecast.miss() - free);
  }
}
