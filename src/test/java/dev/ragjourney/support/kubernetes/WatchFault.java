package dev.ragjourney.support.kubernetes;

import java.time.Duration;

/** How the watches of the embedded API server may fail to tell what happens when it happens. */
public enum WatchFault {
  NONE,

  /** Each kind's events come later than those of others, so that effects come before causes. */
  LATE,

  /** Each event comes twice, and in between the one before it of the same object. */
  STALE,

  /** No event comes. */
  LOST;

  private static final int STEPS = 4;
  private static final Duration STEP = Duration.ofMillis(300);

  Duration delay(ResourceType type) {
    return this == LATE
        ? STEP.multipliedBy(1 + Math.floorMod(type.kind().hashCode(), STEPS))
        : Duration.ZERO;
  }
}
