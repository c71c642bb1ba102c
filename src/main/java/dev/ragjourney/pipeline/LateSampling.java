package dev.ragjourney.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * Which of one stage's calls go on in the background after their cap has cut them off, so that it
 * is learned how long they take. Each cut is decided by chance alone, with {@code p = min(1, share
 * × started / overruns)}: about the share of all calls goes on, and which one does says nothing of
 * its own time. Both counts fade, so that p follows the stage.
 */
final class LateSampling {
  /** At one time in one pod. */
  static final int MOST = 4;

  /** With that many started calls both counts are halved. */
  private static final double FADE = 1_000;

  private final double share;
  private double started;
  private double overruns;
  private int running;

  private LateSampling(double share) {
    this.share = share;
  }

  /**
   * @param share of the started calls, above 0
   * @param before lives on if its share is the same; null for none
   */
  static LateSampling of(double share, @Nullable LateSampling before) {
    return before != null && before.share == share ? before : new LateSampling(share);
  }

  /** A call that may overrun starts. */
  synchronized void started() {
    if (started >= FADE) {
      started /= 2;
      overruns /= 2;
    }
    started++;
  }

  /** A call was cut at its cap. */
  synchronized void overran() {
    overruns++;
  }

  /**
   * Whether the call that was cut goes on; to be left then when it is over.
   *
   * @param chance drawn for it, at least 0 and below 1
   */
  synchronized boolean enter(double chance) {
    if (running >= MOST || chance * overruns >= share * started) {
      return false;
    }
    running++;
    return true;
  }

  synchronized void leave() {
    running--;
  }
}
