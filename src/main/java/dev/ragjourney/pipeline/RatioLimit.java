package dev.ragjourney.pipeline;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A share of calls that may do something more, as a token bucket: every call adds the share, every
 * use takes one. The bucket starts full with {@value #BURST}, so that the first failures of a quiet
 * journey are helped too.
 */
final class RatioLimit {
  private static final long BURST = 10;
  private static final long ONE = 1_000_000;

  private final double ratio;
  private final long share;
  private final AtomicLong tokens = new AtomicLong(BURST * ONE);

  RatioLimit(double ratio) {
    this.ratio = ratio;
    share = Math.round(ratio * ONE);
  }

  /**
   * @param before lives on if its share is the same; null for none
   */
  static RatioLimit of(double ratio, @Nullable RatioLimit before) {
    return before != null && before.ratio == ratio ? before : new RatioLimit(ratio);
  }

  /** A call starts. */
  void called() {
    tokens.updateAndGet(have -> Math.min(BURST * ONE, have + share));
  }

  /** Takes one token if there is one. */
  boolean take() {
    long had = tokens.getAndUpdate(have -> have >= ONE ? have - ONE : have);
    return had >= ONE;
  }
}
