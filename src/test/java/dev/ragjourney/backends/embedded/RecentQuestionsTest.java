package dev.ragjourney.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.backends.embedded.minilm.Encoded;
import org.junit.jupiter.api.Test;

class RecentQuestionsTest {
  private static Encoded encoded(int pieces) {
    return new Encoded(new String[pieces], new int[pieces], new int[pieces], new float[pieces][]);
  }

  @Test
  void the_least_recently_asked_question_is_forgotten_first() {
    RecentQuestions recent = new RecentQuestions();
    Encoded first = encoded(3);
    recent.put("first", first);
    recent.put("second", encoded(3));
    for (int i = 0; i < 63; i++) {
      assertThat(recent.get("first")).isSameAs(first);
      recent.put("other " + i, encoded(3));
    }
    assertThat(recent.get("second")).isNull();
    assertThat(recent.get("first")).isSameAs(first);
    assertThat(recent.size()).isEqualTo(64);
  }

  @Test
  void long_questions_are_not_kept() {
    RecentQuestions recent = new RecentQuestions();
    recent.put("many pieces", encoded(65));
    recent.put("x".repeat(2049), encoded(3));
    assertThat(recent.size()).isZero();
  }
}
