package dev.ragjourney.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers of earlier questions of one journey, all made by the same stages and backends. Called
 * from many threads; neither method waits for anything, and both may compute for milliseconds.
 */
public interface AnswerCache {
  /**
   * What makes the vectors of questions.
   *
   * @return null where the journey's own Embed stage does
   */
  @Nullable Embedder embedder();

  /**
   * The kept answer of the nearest question that wants the same answer.
   *
   * @param minSimilarity the least cosine, 0 to 1
   */
  Found find(Asked asked, double minSimilarity, long nowNanos);

  /** Keeps an answer until it is too old, or in the way of newer ones. */
  Stock keep(Asked asked, Kept answer, long nowNanos);

  /**
   * A question, for those who may share its answer.
   *
   * @param tenant answers are never shared across tenants
   * @param text as the user put it
   * @param embedder what made the vector: vectors of two embedders say nothing about each other
   * @param vector null where none was made: then only the very same question is found
   */
  // The vector is handed on and never compared or changed.
  @SuppressWarnings("ArrayRecordComponent")
  record Asked(String tenant, String text, String embedder, float @Nullable [] vector) {}

  /**
   * An answer that may be given again.
   *
   * @param sources what it was given from, best first, without their texts
   */
  record Kept(String content, List<Passage> sources) {
    public Kept {
      sources = List.copyOf(sources);
    }
  }

  /**
   * @param answer null unless it is a hit
   */
  record Found(Lookup lookup, @Nullable Kept answer) {}

  /**
   * @param entries answers kept now
   * @param evicted how many were dropped since the last time this was told
   */
  record Stock(int entries, int evicted) {}

  /** How a lookup came out. The label is the metrics' spelling. */
  enum Lookup {
    HIT("hit"),
    /** A question was near enough, and its words ask for something else. */
    NEAR("near"),
    MISS("miss"),
    /** No vector was to be had, or the lookup was still running when the journey was over. */
    FAILED("failed");

    private final String label;

    Lookup(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
