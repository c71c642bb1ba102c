package dev.ragjourney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
  @Test
  void advice_on_what_to_leave_out_has_a_line_of_its_own_before_the_decision() {
    assertThat(ExplanationText.of(explanation("skip rerank: 6.1 % are missed")))
        .contains(
            "\nadvice: skip rerank: 6.1 % are missed\n\na round now would hold: InBalance, fine\n");
    assertThat(ExplanationText.of(explanation(null))).doesNotContain("advice");
  }

  private static Explanation explanation(@Nullable String advice) {
    return new Explanation(
        "shop",
        "faq",
        new Explanation.Budget("3s", "FirstToken", "50ms", "Auto", "MaxQuality", 4L, 0.01),
        new Explanation.Source("live", "of now", "Measured", "fine"),
        List.of(),
        null,
        new Explanation.Decision("a round now would hold", "InBalance", "fine"),
        List.of(),
        advice,
        List.of(),
        List.of());
  }
}
