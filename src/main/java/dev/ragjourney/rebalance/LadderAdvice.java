package dev.ragjourney.rebalance;

import java.util.Locale;

/**
 * What would go better than the whole journey with the best settings there are: an optional stage
 * skipped outright, or a lower level to start at. Either gives up every full answer, so it pays
 * only where nearly none is left and the missed ones are many.
 *
 * @param rung what to leave out
 * @param name of the stage, or of the level
 * @param from the name of the best level
 * @param whole with the best settings and everything running
 * @param less with it left out: no answer counts as full
 * @param cutRatio share of the calls of the stage that would be cut even by the best settings; 0
 *     for a level
 * @param lasting whether the same holds on each of the last three slices alone; other advice is to
 *     be shown only where it was shown before
 */
public record LadderAdvice(
    Rung rung,
    String name,
    String from,
    Forecast whole,
    Forecast less,
    double cutRatio,
    boolean lasting) {
  /** From this share on it is said that a stage is cut. */
  private static final double NEARLY_ALL = 0.8;

  private static final double PERCENT = 100;

  /** What is left out. */
  public enum Rung {
    /** One optional stage, in every journey. */
    STAGE,
    /** All levels above one. */
    LEVEL
  }

  /** What to do and the figures behind it, for a person. */
  public String message() {
    boolean stage = rung == Rung.STAGE;
    String text =
        String.format(
            Locale.ROOT,
            "%s %s: %.1f %% of the answers are full %s %s and %.1f %% are missed; %s %s %.1f %%"
                + " are missed",
            stage ? "skip" : "start at level",
            name,
            whole.full() * PERCENT,
            stage ? "with" : "from level",
            stage ? "it" : from,
            whole.miss() * PERCENT,
            stage ? "without" : "from",
            stage ? "it" : name,
            less.miss() * PERCENT);
    return cutRatio < NEARLY_ALL
        ? text
        : text
            + String.format(
                Locale.ROOT,
                "; at its best cap %.1f %% of its calls are cut: scale its backend, or remove it",
                cutRatio * PERCENT);
  }
}
