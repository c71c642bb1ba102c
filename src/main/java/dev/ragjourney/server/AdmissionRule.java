package dev.ragjourney.server;

import dev.ragjourney.server.AdmissionDecision.Admit;
import dev.ragjourney.server.AdmissionDecision.Queue;
import dev.ragjourney.server.AdmissionDecision.Refuse;

/**
 * Admission by deadline. As the places fill up the level falls; then questions wait, as long as
 * their cheapest level stays possible; then the cache is asked; then they are refused.
 */
final class AdmissionRule {
  /** Up to this pressure every journey starts at the best level. */
  private static final double RELAXED = 0.75;

  /**
   * The share of the slack that a question may spend waiting. The estimate is an average, and the
   * journey needs some of the slack for its own slow moments.
   */
  private static final double WAITING_SHARE = 0.5;

  private static final int MOST_QUEUED = 256;
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_RETRY_SECONDS = 60;

  private AdmissionRule() {}

  /**
   * @param remainingNanos of the journey's budget
   */
  static AdmissionDecision decide(Load load, Ladder ladder, long remainingNanos) {
    if (load.hasRoom()) {
      return new Admit(startLevel(load, ladder), false);
    }
    long wait = load.waitNanos(ladder.totalNanos());
    long bearable = bearable(ladder, remainingNanos);
    if (wait <= bearable && load.queued() < MOST_QUEUED) {
      return new Queue(bearable);
    }
    int cached = ladder.cached();
    if (cached >= 0 && load.spared() < load.limit()) {
      return new Admit(cached, true);
    }
    return new Refuse(retryAfter(wait));
  }

  /**
   * floor(staged levels × (pressure − 0.75) / 0.25), at most the cheapest that runs stages: 0 up to
   * three quarters of the places, the cheapest when questions wait.
   */
  static int startLevel(Load load, Ladder ladder) {
    double strain = Math.clamp((load.pressure() - RELAXED) / (1 - RELAXED), 0, 1);
    int staged = ladder.staged();
    return Math.max(0, Math.min((int) (strain * staged), staged - 1));
  }

  /** Every journey starts at the best level: there is time for more than journeys. */
  static boolean relaxed(Load load) {
    return load.pressure() <= RELAXED;
  }

  private static long bearable(Ladder ladder, long remainingNanos) {
    int cheapest = ladder.staged() - 1;
    if (cheapest < 0) {
      return 0;
    }
    long slack = remainingNanos - ladder.rungs().get(cheapest).needNanos();
    return Math.max(0, (long) (slack * WAITING_SHARE));
  }

  private static int retryAfter(long waitNanos) {
    long seconds = Math.ceilDiv(waitNanos, SECOND);
    return (int) Math.clamp(seconds, 1, LONGEST_RETRY_SECONDS);
  }
}
