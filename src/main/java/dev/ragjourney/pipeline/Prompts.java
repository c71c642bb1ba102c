package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes the prompt of each form from what was gathered.
 *
 * @param noContext retrieval gave nothing, and the model is told so
 */
record Prompts(Itinerary itinerary, Gathered so, boolean noContext) {

  Prompt of(StageForm form, int level) {
    String instructions = form.instructions();
    if (noContext && !form.noContextInstructions().isEmpty()) {
      instructions =
          instructions.isEmpty()
              ? form.noContextInstructions()
              : instructions + "\n\n" + form.noContextInstructions();
    }
    List<Passage> context = new ArrayList<>(so.toolTexts());
    context.addAll(wanted(level));
    return new Prompt(
        so.question(),
        AnswerText.fitting(context, form.maxContextTokens()),
        instructions,
        noContext,
        form.maxTokens(),
        form.reasoningEffort());
  }

  /** A level reached after the search may want fewer passages than were found. */
  private List<Passage> wanted(int level) {
    int topK = itinerary.topK(level);
    List<Passage> found = so.passages();
    return topK > 0 && found.size() > topK ? found.subList(0, topK) : found;
  }
}
