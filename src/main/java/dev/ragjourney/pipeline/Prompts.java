package dev.ragjourney.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the prompt of each form from what was gathered.
 *
 * @param asked the question and its conversation
 * @param noContext retrieval gave nothing, and the model is told so
 */
record Prompts(Itinerary itinerary, Question asked, Gathered so, boolean noContext) {

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
        asked.text(),
        asked.earlier(),
        AnswerText.fitting(context, form.maxContextTokens()),
        instructions,
        noContext,
        fewer(form.maxTokens(), asked.maxTokens()),
        form.reasoningEffort());
  }

  private static @Nullable Integer fewer(@Nullable Integer declared, @Nullable Integer wanted) {
    if (declared == null || wanted == null) {
      return declared == null ? wanted : declared;
    }
    return Math.min(declared, wanted);
  }

  /** A level reached after the search may want fewer passages than were found. */
  private List<Passage> wanted(int level) {
    return StageWork.best(so.passages(), itinerary.topK(level));
  }
}
