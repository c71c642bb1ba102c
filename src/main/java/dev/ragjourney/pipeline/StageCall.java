package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * What a backend is told about one call: how long it may take, and how to learn that it is over.
 *
 * @param stage the stage's name
 * @param level the level the journey is on, 0 = full quality
 * @param role whether this is the stage's first call or one made to help it
 * @param time the clock that the deadlines are on
 * @param deadlineNanos the end of this call
 * @param journeyDeadlineNanos the end of the journey's budget, handed on to backends
 * @param cancellation told when the call is cut off
 * @param traceparent W3C trace context to send along; null where nothing is traced
 * @param key the same for every attempt of a stage's call; null where the port asks for none
 */
public record StageCall(
    String stage,
    int level,
    Role role,
    MonotonicTime time,
    long deadlineNanos,
    long journeyDeadlineNanos,
    Cancellation cancellation,
    @Nullable String traceparent,
    @Nullable String key) {

  public StageCall(
      String stage,
      int level,
      Role role,
      MonotonicTime time,
      long deadlineNanos,
      long journeyDeadlineNanos,
      Cancellation cancellation,
      @Nullable String traceparent) {
    this(
        stage,
        level,
        role,
        time,
        deadlineNanos,
        journeyDeadlineNanos,
        cancellation,
        traceparent,
        null);
  }

  /** Why a call is made. The label is the metrics' spelling. */
  public enum Role {
    PRIMARY("primary"),
    HEDGE("hedge"),
    RETRY("retry"),
    FALLBACK("fallback"),
    /** Started before it is known whether its result is needed. */
    SPECULATIVE("speculative");

    private final String label;

    Role(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** Nanoseconds left to this call; zero or less means it is over. */
  public long remainingNanos() {
    return deadlineNanos - time.nanos();
  }

  /** Nanoseconds left to the journey. */
  public long journeyRemainingNanos() {
    return journeyDeadlineNanos - time.nanos();
  }

  /**
   * Ends the caller's work if this call is over; for work that cannot be interrupted, between its
   * pieces.
   *
   * @throws CallCancelledException if the call was cut off or its time is up
   */
  public void check() throws CallCancelledException {
    if (cancellation.cancelled() || remainingNanos() <= 0) {
      throw new CallCancelledException();
    }
  }
}
