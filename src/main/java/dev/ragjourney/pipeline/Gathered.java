package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the stages have found out so far.
 *
 * @param question as the user put it
 * @param earlier the conversation before it, oldest first
 * @param searchText the question, rewritten where a rewrite ran
 * @param vector the search text's embedding; null where none was made
 * @param rankings what each search found, in the order in which they were declared
 * @param passages all of it, in the latest order
 * @param most how many passages are kept; 0 for all
 * @param toolTexts what tools said, for the model's context
 * @param answer what the model wrote; null before it has
 */
// The vector is handed on and never compared or changed.
@SuppressWarnings("ArrayRecordComponent")
record Gathered(
    String question,
    List<Turn> earlier,
    String searchText,
    float @Nullable [] vector,
    List<List<Passage>> rankings,
    List<Passage> passages,
    int most,
    List<Passage> toolTexts,
    @Nullable String answer) {
  Gathered {
    earlier = List.copyOf(earlier);
    rankings = List.copyOf(rankings);
    passages = List.copyOf(passages);
    toolTexts = List.copyOf(toolTexts);
  }

  static Gathered of(Question asked) {
    String text = asked.text();
    return new Gathered(
        text, asked.earlier(), text, null, List.of(), List.of(), 0, List.of(), null);
  }

  Gathered withSearchText(String text) {
    return new Gathered(
        question, earlier, text, vector, rankings, passages, most, toolTexts, answer);
  }

  Gathered withVector(float[] embedding) {
    return new Gathered(
        question, earlier, searchText, embedding, rankings, passages, most, toolTexts, answer);
  }

  /** What was found before, in another order. */
  Gathered reordered(List<Passage> ordered) {
    return new Gathered(
        question, earlier, searchText, vector, rankings, ordered, most, toolTexts, answer);
  }

  /**
   * What searches found beside whatever was found before, merged by reciprocal rank.
   *
   * @param topK how many passages the stage wants; 0 for no limit
   */
  Gathered found(List<List<Passage>> more, int topK) {
    List<List<Passage>> all = new ArrayList<>(rankings);
    all.addAll(more);
    boolean bounded = topK > 0 && (most > 0 || rankings.isEmpty());
    int kept = bounded ? Math.max(most, topK) : 0;
    return new Gathered(
        question,
        earlier,
        searchText,
        vector,
        all,
        RankFusion.fused(all, kept),
        kept,
        toolTexts,
        answer);
  }

  Gathered withToolText(String stage, String text) {
    List<Passage> all = new ArrayList<>(toolTexts);
    all.add(new Passage(stage, stage, text, 0));
    return new Gathered(
        question, earlier, searchText, vector, rankings, passages, most, all, answer);
  }

  Gathered withAnswer(String text) {
    return new Gathered(
        question, earlier, searchText, vector, rankings, passages, most, toolTexts, text);
  }
}
