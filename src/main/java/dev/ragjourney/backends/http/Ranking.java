package dev.ragjourney.backends.http;

import dev.ragjourney.pipeline.BackendException;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.PassagesFound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Gathers the scores that a reranker gave, each passage exactly once, and sorts by them. */
public final class Ranking {
  private final String backend;
  private final List<Passage> passages;
  private final double[] scores;

  public Ranking(String backend, List<Passage> passages) {
    this.backend = backend;
    this.passages = passages;
    scores = new double[passages.size()];
    Arrays.fill(scores, Double.NaN);
  }

  /**
   * @param index of the passage as it was sent
   */
  public void score(long index, double score) throws BackendException {
    if (index < 0 || index >= scores.length) {
      throw Failures.invalid(
          backend, "a result for passage " + index + " of " + scores.length + " passages");
    }
    if (!Double.isFinite(score)) {
      throw Failures.invalid(backend, "the score of passage " + index + " is not finite");
    }
    if (!Double.isNaN(scores[(int) index])) {
      throw Failures.invalid(backend, "two results for passage " + index);
    }
    scores[(int) index] = score;
  }

  /** The passages with their new scores, best first; equal scores keep the order they came in. */
  public PassagesFound found() throws BackendException {
    List<Passage> scored = new ArrayList<>(scores.length);
    for (int i = 0; i < scores.length; i++) {
      if (Double.isNaN(scores[i])) {
        throw Failures.invalid(
            backend, "no result for passage " + i + " of " + scores.length + " passages");
      }
      scored.add(passages.get(i).withScore(scores[i]));
    }
    scored.sort(Comparator.comparingDouble(Passage::score).reversed());
    return PassagesFound.whole(scored);
  }
}
