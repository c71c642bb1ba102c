package dev.ragjourney.budget;

/**
 * What pods do beyond their journeys' needs, so that latencies are known that nobody would see.
 *
 * @param lateShare share of a stage's started calls that may go on in the background after they
 *     were cut at the cap, 0 to 1
 * @param probeShare share of the journeys that the time sends to a lower level which try the level
 *     above it, 0 to 1
 */
public record LearningPolicy(double lateShare, double probeShare) {
  /** Pods learn from what journeys do anyway. */
  public static final LearningPolicy NOTHING = new LearningPolicy(0, 0);

  /**
   * Whether calls of the stage may go on after their cut. A rewrite and a generation are billed by
   * what they write; beside its fallback a stage's own call goes on past the cap anyway.
   */
  public boolean samples(StageBudget stage) {
    return lateShare > 0
        && stage.cap() != null
        && stage.fallback() == null
        && switch (stage.type()) {
          case EMBED, SEARCH, RERANK, TOOL -> true;
          case REWRITE, GENERATE -> false;
        };
  }
}
