package dev.ragjourney.backends.openai;

import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Turn;
import java.util.List;

/**
 * How a prompt is laid out for a chat model: the instructions as the system message; the earlier
 * turns as messages of their own; the numbered passages and then the question as the user's last
 * message, so that the question is the last thing read.
 */
final class PromptLayout {
  static final String ANSWER =
      "Answer the question from the numbered passages. Cite the passages you used by their"
          + " numbers, like [1]. If they do not hold the answer, say that you do not know.";

  static final String PLAIN = "Answer the question. If you do not know the answer, say so.";

  static final String REWRITE =
      "Rewrite the question as one search query that can be understood on its own. Reply with the"
          + " query only.";

  /**
   * Stands where the passages would: a model must see that there are none. Declared instructions
   * for this case are in the system message and win.
   */
  static final String NO_CONTEXT_MARKER =
      "[no context: the search found nothing for this question; unless you are told otherwise, say"
          + " so and do not make up an answer]";

  private PromptLayout() {}

  static String system(Prompt prompt) {
    if (!prompt.instructions().isBlank()) {
      return prompt.instructions();
    }
    return prompt.noContext() || prompt.passages().isEmpty() ? PLAIN : ANSWER;
  }

  static String user(Prompt prompt) {
    StringBuilder text = new StringBuilder();
    if (prompt.noContext()) {
      text.append(NO_CONTEXT_MARKER).append("\n\n");
    }
    if (!prompt.passages().isEmpty()) {
      text.append("Passages:\n\n");
    }
    int number = 1;
    for (Passage passage : prompt.passages()) {
      text.append('[').append(number++).append("] ");
      if (!passage.title().isBlank()) {
        text.append(passage.title().strip()).append('\n');
      }
      text.append(passage.text().strip()).append("\n\n");
    }
    return text.append("Question: ").append(prompt.question().strip()).toString();
  }

  static String rewriteSystem(String instructions) {
    return instructions.isBlank() ? REWRITE : instructions;
  }

  /**
   * The conversation is quoted in the one message: a model that is given it as messages goes on
   * talking instead of rewriting.
   */
  static String rewriteUser(String question, List<Turn> earlier) {
    if (earlier.isEmpty()) {
      return question;
    }
    StringBuilder text = new StringBuilder("The conversation so far:\n\n");
    for (Turn turn : earlier) {
      text.append(turn.speaker().label()).append(": ").append(turn.text().strip()).append("\n\n");
    }
    return text.append("Question: ").append(question.strip()).toString();
  }
}
