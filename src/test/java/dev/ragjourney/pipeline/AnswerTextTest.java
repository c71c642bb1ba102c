package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTextTest {
  private static final String LONG =
      "A sentence that is long enough to be an answer of its own, with some words to spare in it.";

  @Test
  void an_unfinished_sentence_is_dropped() {
    assertThat(AnswerText.cutAtSentence(LONG + " And then it")).isEqualTo(LONG);
  }

  @Test
  void a_finished_last_sentence_stays() {
    assertThat(AnswerText.cutAtSentence(LONG + " Done.")).isEqualTo(LONG + " Done.");
    assertThat(AnswerText.cutAtSentence(LONG + " Done. ")).isEqualTo(LONG + " Done.");
  }

  @Test
  void where_the_last_whole_sentence_says_too_little_the_cut_is_at_a_word() {
    String text = "Yes. " + "word ".repeat(30) + "wor";

    assertThat(AnswerText.cutAtSentence(text)).isEqualTo(("Yes. " + "word ".repeat(30)).strip());
  }

  @Test
  void a_decimal_point_is_no_end_of_a_sentence() {
    assertThat(AnswerText.cutAtSentence(LONG + " It costs 3.5 euros and")).isEqualTo(LONG);
  }

  @ParameterizedTest(name = "{0} characters are {1} tokens")
  @CsvSource({"0, 0", "1, 1", "4, 1", "5, 2", "80, 20"})
  void tokens_are_estimated_at_four_characters(int characters, int tokens) {
    assertThat(AnswerText.tokens("x".repeat(characters))).isEqualTo(tokens);
  }

  @Test
  void context_is_cut_by_whole_passages_and_never_to_nothing() {
    List<Passage> passages =
        List.of(
            new Passage("a", "", "x".repeat(40), 3),
            new Passage("b", "", "x".repeat(40), 2),
            new Passage("c", "", "x", 1));

    assertThat(AnswerText.fitting(passages, 20)).extracting(Passage::id).containsExactly("a", "b");
    assertThat(AnswerText.fitting(passages, 19)).extracting(Passage::id).containsExactly("a");
    assertThat(AnswerText.fitting(passages, 1)).extracting(Passage::id).containsExactly("a");
    assertThat(AnswerText.fitting(passages, null)).hasSize(3);
  }
}
