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
 * @param passages the search's, in the latest order
 * @param toolTexts what tools said, for the model's context
 */
// The vector is handed on and never compared or changed.
@SuppressWarnings("ArrayRecordComponent")
record Gathered(
    String question,
    List<Turn> earlier,
    String searchText,
    float @Nullable [] vector,
    List<Passage> passages,
    List<Passage> toolTexts) {
  Gathered {
    earlier = List.copyOf(earlier);
    passages = List.copyOf(passages);
    toolTexts = List.copyOf(toolTexts);
  }

  static Gathered of(Question asked) {
    String text = asked.text();
    return new Gathered(text, asked.earlier(), text, null, List.of(), List.of());
  }

  Gathered withSearchText(String text) {
    return new Gathered(question, earlier, text, vector, passages, toolTexts);
  }

  Gathered withVector(float[] embedding) {
    return new Gathered(question, earlier, searchText, embedding, passages, toolTexts);
  }

  Gathered withPassages(List<Passage> found) {
    return new Gathered(question, earlier, searchText, vector, found, toolTexts);
  }

  Gathered withToolText(String stage, String text) {
    List<Passage> all = new ArrayList<>(toolTexts);
    all.add(new Passage(stage, stage, text, 0));
    return new Gathered(question, earlier, searchText, vector, passages, all);
  }
}
