package dev.ragjourney.backends.embedded;

import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.MonotonicTime;
import dev.ragjourney.pipeline.StageCall;
import java.time.Duration;

/** Calls for tests of backends. */
final class Calls {
  private Calls() {}

  /** A call with plenty of time. */
  static StageCall patient() {
    return within(Duration.ofMinutes(1), Cancellation.NONE);
  }

  static StageCall within(Duration allowance, Cancellation cancellation) {
    long deadline = System.nanoTime() + allowance.toNanos();
    return new StageCall(
        "stage",
        0,
        StageCall.Role.PRIMARY,
        MonotonicTime.system(),
        deadline,
        deadline,
        cancellation,
        null);
  }
}
