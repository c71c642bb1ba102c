package dev.ragjourney.backends.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Prompt;
import dev.ragjourney.pipeline.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptLayoutTest {
  private static final Passage HOURS = new Passage("a#1", "Hours", " It opens at nine. ", 1);
  private static final Passage PLAIN = new Passage("b#1", "", "It closes at eight.", 0.5);

  @Test
  void passages_are_numbered_best_first_and_the_question_comes_last() {
    assertThat(PromptLayout.user(prompt("", false, HOURS, PLAIN)))
        .isEqualTo(
            """
            Passages:

            [1] Hours
            It opens at nine.

            [2] It closes at eight.

            Question: When?""");
  }

  @Test
  void without_declared_instructions_the_model_is_told_to_cite() {
    assertThat(PromptLayout.system(prompt("", false, HOURS))).contains("[1]");
  }

  @Test
  void declared_instructions_replace_ours() {
    assertThat(PromptLayout.system(prompt("Be brief.", false, HOURS))).isEqualTo("Be brief.");
    assertThat(PromptLayout.system(prompt("Be brief.", true))).isEqualTo("Be brief.");
  }

  @Test
  void a_model_without_context_sees_a_marker_and_no_empty_list() {
    assertThat(PromptLayout.user(prompt("", true)))
        .startsWith("[no context: ")
        .contains("do not make up an answer")
        .endsWith("\n\nQuestion: When?")
        .doesNotContain("Passages");
  }

  @Test
  void a_journey_that_searches_nothing_is_a_plain_question() {
    assertThat(PromptLayout.user(prompt("", false))).isEqualTo("Question: When?");
    assertThat(PromptLayout.system(prompt("", false))).doesNotContain("passages");
  }

  @Test
  void a_rewrite_quotes_the_conversation_before_the_question() {
    assertThat(PromptLayout.rewriteUser(" Why? ", List.of())).isEqualTo(" Why? ");
    assertThat(
            PromptLayout.rewriteUser(
                "Why?",
                List.of(
                    new Turn(Turn.Speaker.USER, "What is a cap?"),
                    new Turn(Turn.Speaker.ASSISTANT, "A limit."))))
        .isEqualTo(
            """
            The conversation so far:

            user: What is a cap?

            assistant: A limit.

            Question: Why?""");
  }

  @Test
  void a_rewrite_has_declared_instructions_or_ours() {
    assertThat(PromptLayout.rewriteSystem("Shorter.")).isEqualTo("Shorter.");
    assertThat(PromptLayout.rewriteSystem(" ")).isEqualTo(PromptLayout.REWRITE);
  }

  private static Prompt prompt(String instructions, boolean noContext, Passage... passages) {
    return new Prompt(" When? ", List.of(passages), instructions, noContext, null, null);
  }
}
