package dev.ragjourney.pipeline;

import dev.ragjourney.budget.HedgeBudget;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The second copies of one stage in this pod: so many at once, and such a share of its calls. */
final class HedgeLimit {
  private final HedgeBudget budget;
  private final RatioLimit share;
  private final AtomicInteger running = new AtomicInteger();

  private HedgeLimit(HedgeBudget budget) {
    this.budget = budget;
    this.share = new RatioLimit(budget.maxRatio());
  }

  /**
   * @param before lives on if its settings are the same; null for none
   */
  static HedgeLimit of(HedgeBudget budget, @Nullable HedgeLimit before) {
    return before != null && before.budget.equals(budget) ? before : new HedgeLimit(budget);
  }

  /** A call starts that may get a second copy. */
  void called() {
    share.called();
  }

  /** To be left when the copy's work has ended; false if there may be none. */
  boolean enter() {
    if (running.getAndUpdate(now -> now < budget.maxConcurrent() ? now + 1 : now)
        >= budget.maxConcurrent()) {
      return false;
    }
    if (!share.take()) {
      leave();
      return false;
    }
    return true;
  }

  void leave() {
    running.decrementAndGet();
  }
}
