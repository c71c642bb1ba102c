package dev.ragjourney.crd;

import dev.ragjourney.budget.StageType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Defaults of times, as shares of the total, so that any budget works. Shares are cut to whole
 * milliseconds and are at least 1 ms.
 *
 * @param total the journey's total
 */
record Defaults(Duration total) {
  static final Duration STREAM_IDLE = Duration.ofSeconds(30);
  static final Duration STREAM_MAX = Duration.ofMinutes(5);
  static final Duration LOWEST_CAP = Duration.ofMillis(10);
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  static final int BACKEND_CALLS = 100;
  static final int EMBEDDED_CALLS = 32;
  static final double HEADROOM = 0.2;
  static final double LATE_SAMPLED = 0.01;
  static final double PROBED = 0.01;
  static final int TOP_K = 10;
  static final int CACHE_ENTRIES = 10_000;
  static final Duration CACHE_TTL = Duration.ofHours(1);
  static final double CACHE_SIMILARITY = 0.92;
  static final String CACHED = "cached";
  static final String FULL = "full";
  static final String FAST = "fast";
  static final String SORRY = "sorry";
  static final String STATIC_MESSAGE =
      "Sorry, there is no answer in time. Please try again in a moment.";
  static final String DEGRADED_HINT = "Quick answer – some detail may be missing.";
  static final String WARM_UP = "What is this about?";

  Duration reserve() {
    return Values.min(Duration.ofMillis(50), share(5));
  }

  Duration lastTokenMargin() {
    return Values.min(Duration.ofMillis(200), share(10));
  }

  Duration fallbackMinRemaining() {
    return Values.min(Duration.ofMillis(300), share(10));
  }

  Duration fallbackCap() {
    return Values.min(Duration.ofMillis(500), share(17));
  }

  Duration generateFloor() {
    return share(40);
  }

  Duration minUseful() {
    return Values.min(Duration.ofMillis(5), share(1));
  }

  Duration fullMinRemaining() {
    return share(50);
  }

  Duration fastMinRemaining() {
    return share(25);
  }

  /** Null for a stage that takes what remains, and for a Tool: {@link InitialEstimate}. */
  @Nullable Duration cap(StageType type) {
    return switch (type) {
      case EMBED -> share(5);
      case REWRITE, RERANK -> share(10);
      case SEARCH -> share(20);
      case GENERATE, TOOL -> null;
    };
  }

  private Duration share(int percent) {
    return Duration.ofMillis(Math.max(1, total.toMillis() * percent / 100));
  }
}
