package dev.ragjourney.simulate;

/**
 * A share of the calls that may do something more, as the pod counts it: every call adds the share,
 * every use takes one, and ten may be saved up.
 */
final class Allowed {
  private static final long BURST = 10;
  private static final long ONE = 1_000_000;

  private final long share;
  private final int mostAtOnce;
  private long tokens = BURST * ONE;
  private int atOnce;

  Allowed(double ratio, int mostAtOnce) {
    share = Math.round(ratio * ONE);
    this.mostAtOnce = mostAtOnce;
  }

  void called() {
    tokens = Math.min(BURST * ONE, tokens + share);
  }

  boolean take() {
    if (tokens < ONE) {
      return false;
    }
    tokens -= ONE;
    return true;
  }

  /** One more at the same time; to be left. */
  boolean enter() {
    if (atOnce >= mostAtOnce || !take()) {
      return false;
    }
    atOnce++;
    return true;
  }

  void leave() {
    atOnce--;
  }
}
