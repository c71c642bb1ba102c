package dev.ragjourney.simulate;

/**
 * What settings give: shares of the answers, not numbers where there were none.
 *
 * @param full share of full answers in time
 * @param degraded share of answers in time that are less than full
 * @param miss share without a generated answer in time
 */
record Worth(double full, double degraded, double miss) {
  static final Worth UNKNOWN = new Worth(Double.NaN, Double.NaN, Double.NaN);

  private static final double PRICE = 3;

  /** J in points: full − 3 × what is missed beyond the objective. */
  double j(double missRatio) {
    return 100 * (full - PRICE * Math.max(0, miss - missRatio));
  }

  boolean known() {
    return !Double.isNaN(full);
  }

  /** Where a share of the pods has other settings. */
  Worth mixed(Worth other, double share) {
    return new Worth(
        full + (other.full - full) * share,
        degraded + (other.degraded - degraded) * share,
        miss + (other.miss - miss) * share);
  }
}
