package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges what several searches found by reciprocal rank: a passage's score is Σ 1 / (60 + its
 * rank), ranks counted from 1. The scales of the searches' own scores do not matter.
 */
final class RankFusion {
  private static final int K = 60;

  private RankFusion() {}

  /**
   * The passages of all rankings, each id once, best first; of equals the one that an earlier
   * ranking has. A single ranking that found something stays as it is, scores included.
   *
   * @param topK how many are kept; 0 for all
   */
  static List<Passage> fused(List<List<Passage>> rankings, int topK) {
    List<List<Passage>> found = rankings.stream().filter(each -> !each.isEmpty()).toList();
    List<Passage> all = found.size() == 1 ? found.getFirst() : merged(found);
    return List.copyOf(StageWork.best(all, topK));
  }

  private static List<Passage> merged(List<List<Passage>> rankings) {
    Map<String, Passage> byId = new LinkedHashMap<>();
    for (List<Passage> ranking : rankings) {
      for (int rank = 0; rank < ranking.size(); rank++) {
        Passage passage = ranking.get(rank);
        double share = 1.0 / (K + rank + 1);
        byId.merge(
            passage.id(),
            passage.withScore(share),
            (known, again) -> known.withScore(known.score() + again.score()));
      }
    }
    List<Passage> all = new ArrayList<>(byId.values());
    all.sort(Comparator.comparingDouble(Passage::score).reversed());
    return all;
  }
}
