package dev.ragjourney.simulate;

/**
 * One call of a backend: ends by itself, or is cut. An answer at the very moment of the cut counts.
 */
final class Call {
  /** No such moment. */
  static final long NEVER = Long.MAX_VALUE;

  /** How it stands with a call. */
  enum State {
    IDLE,
    RUNNING,
    ANSWERED,
    FAILED,
    CUT
  }

  /** Why a call was cut. */
  enum Cut {
    CAP,
    DEADLINE,
    /** Another call was faster, or the others did not wait for it. */
    LOST,
    /** Its result is not wanted any more. */
    UNWANTED
  }

  private final Servers servers;

  /** Of those that are to be moved on when a server becomes free. */
  private final JourneyRun journey;

  private State state = State.IDLE;
  private Cut cut = Cut.UNWANTED;
  private Cut whenReached = Cut.DEADLINE;
  private int law;
  private long nanos;
  private boolean fails;
  private long startNanos;
  private long limitNanos;
  private long readyNanos;
  private long elapsedNanos;

  Call(Servers servers, JourneyRun journey) {
    this.servers = servers;
    this.journey = journey;
  }

  void reset() {
    state = State.IDLE;
  }

  /**
   * @param drawn as {@link Latencies} has it
   */
  void begin(int ofLaw, long drawn, long now, long limit, Cut why) {
    law = ofLaw;
    fails = drawn < 0;
    nanos = fails ? ~drawn : drawn;
    startNanos = now;
    limitNanos = limit;
    whenReached = why;
    readyNanos = NEVER;
    state = State.RUNNING;
    if (nanos == 0) {
      readyNanos = now;
    } else {
      servers.begin(this, now);
    }
  }

  /** A server works on it from now on. */
  void servedFrom(long now) {
    readyNanos = now + nanos;
  }

  /**
   * @return when it is to be moved on again
   */
  long advance(long now) {
    if (state != State.RUNNING) {
      return NEVER;
    }
    if (readyNanos <= now && readyNanos <= limitNanos) {
      settle(fails ? State.FAILED : State.ANSWERED, now);
      return NEVER;
    }
    if (limitNanos <= now) {
      cut = whenReached;
      settle(State.CUT, now);
      return NEVER;
    }
    return Math.min(readyNanos, limitNanos);
  }

  void cancel(Cut why, long now) {
    if (state == State.RUNNING) {
      cut = why;
      settle(State.CUT, now);
    }
  }

  void limitTo(long limit, Cut why) {
    limitNanos = limit;
    whenReached = why;
  }

  private void settle(State ended, long now) {
    state = ended;
    elapsedNanos = now - startNanos;
    if (nanos > 0) {
      servers.over(this, now);
    }
  }

  State state() {
    return state;
  }

  boolean running() {
    return state == State.RUNNING;
  }

  boolean answered() {
    return state == State.ANSWERED;
  }

  /** Has ended, however. */
  boolean settled() {
    return state != State.IDLE && state != State.RUNNING;
  }

  Cut cut() {
    return cut;
  }

  int law() {
    return law;
  }

  long startNanos() {
    return startNanos;
  }

  long readyNanos() {
    return readyNanos;
  }

  long elapsedNanos() {
    return elapsedNanos;
  }

  JourneyRun journey() {
    return journey;
  }
}
