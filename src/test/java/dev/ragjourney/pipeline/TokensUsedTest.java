package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What models say they used, whether or not anybody read it. */
@Timeout(30)
class TokensUsedTest {
  private static final Completion USED = new Completion("stop", 40, 2);

  private final Trial trial = new Trial();

  private Routes written(String text) {
    Generator generator =
        (call, prompt, sink) -> {
          sink.accept(text);
          return USED;
        };
    return Routes.of(BudgetDraft.of("3s").stages(search().cap("1s"), generate().floor("1s")))
        .port("search", trial.finds(100, "a"))
        .port("generate", generator);
  }

  @Test
  void the_tokens_of_an_answer_are_told_once() throws Exception {
    assertThat(trial.ask(written("Well.")).content()).isEqualTo("Well.");
    assertThat(trial.told.tokens).hasSize(1);
    JourneyListener.TokensUsed used = trial.told.tokens.getFirst();
    assertThat(used.completion()).isEqualTo(USED);
    assertThat(used.stage()).isEqualTo("generate");
    assertThat(used.wasted()).isFalse();
  }

  @Test
  void tokens_without_content_are_told_as_wasted() throws Exception {
    assertThat(trial.ask(written(" ")).outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(trial.told.tokens).extracting(JourneyListener.TokensUsed::wasted).containsOnly(true);
  }
}
