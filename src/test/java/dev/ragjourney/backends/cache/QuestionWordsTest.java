package dev.ragjourney.backends.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionWordsTest {
  private static boolean same(String one, String other) {
    QuestionWords first = QuestionWords.of(one);
    QuestionWords second = QuestionWords.of(other);
    assertThat(first.sameAs(second)).isEqualTo(second.sameAs(first));
    return first.sameAs(second);
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "How do I reset my password? | how can I reset my password",
        "What's the refund policy? | refund policy",
        "On Sundays, how is overtime paid? | How is overtime paid on Sundays?",
        "Can't I pay by card? | can I not pay by card",
        "Tell me how many days I have. | How many days do I have?",
        "Is 10,000 enough? | Is 10000 enough?",
        "Who is the deputy of my manager? | Who is my boss's deputy?",
        "What is the fee for 20 €? | What is the fee for 20 euros?",
        "¿Dónde está la oficina? | ¿Dónde está la oficina",
        "經理在哪裡? | 經理在哪裡",
      })
  void the_same_thing_is_asked(String one, String other) {
    assertThat(same(one, other)).isTrue();
  }

  @ParameterizedTest(name = "{0} ≠ {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Do the rules apply in the US? | Do the rules apply?",
        "What is due in May? | What is due?",
        "Is C# supported? | Is C supported?",
        "Is it -5 degrees? | Is it 5 degrees?",
        "Is it version 3.1? | Is it version 31?",
        "convert dollars to euros | convert euros to dollars",
        "Wie kündige ich? | Wie kündige ich nicht?",
        "Darf Anna kündigen? | Darf Bob kündigen?",
        "經理在哪裡? | 經理是誰?",
        "Who do I pay? | Who pays?",
        "Who approves it? | Who approved it?",
      })
  void something_else_is_asked(String one, String other) {
    assertThat(same(one, other)).isFalse();
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @ValueSource(strings = {"", " ", "?", "the of", "😀", "\0", "'s", "n't", "of of of", "-", "+"})
  void what_says_nothing_is_the_same_as_nothing_or_itself_at_most(String question) {
    assertThat(same(question, "How do I reset my password?")).isFalse();
    assertThat(QuestionWords.of(question).content()).hasSizeLessThan(3);
  }

  @Test
  void a_question_of_any_length_is_read_to_its_end() {
    String longOne = Stream.generate(() -> "how do I").limit(500).collect(Collectors.joining(" "));
    assertThat(same(longOne + " leave Anna", longOne + " leave Bob")).isFalse();
  }
}
