package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the whole answer must be there in time, its length follows from the time. */
@Timeout(30)
class GenerationPaceTest {
  private static final long EACH_MS = 25;

  private final Trial trial = new Trial();
  private final List<@Nullable Integer> limits = new ArrayList<>();
  private final GenerationPace pace = new GenerationPace();

  @Test
  void until_enough_is_measured_the_declared_limit_is_sent() {
    measure(GenerationPace.LEAST_SAMPLES - 1, 300, 40);
    assertThat(pace.maxTokens(500, 1800 * MS)).isEqualTo(500);
    assertThat(pace.maxTokens(null, 1800 * MS)).isNull();
  }

  @Test
  void the_limit_is_what_fits_after_the_first_token() {
    measure(GenerationPace.LEAST_SAMPLES, 300, 40);
    assertThat(pace.maxTokens(500, 1800 * MS)).as("(1800 − 300) ms × 40/s").isEqualTo(60);
    assertThat(pace.maxTokens(null, 1800 * MS)).isEqualTo(60);
    assertThat(pace.maxTokens(50, 1800 * MS)).as("declared is less").isEqualTo(50);
    assertThat(pace.maxTokens(500, 310 * MS)).as("as few as make an answer").isEqualTo(20);
  }

  @Test
  void late_first_tokens_and_slow_writing_count_and_not_the_mean() {
    measure(90, 300, 40);
    measure(10, 800, 10);
    assertThat(pace.maxTokens(500, 2800 * MS)).as("(2800 − 800) ms × 10/s").isEqualTo(20);
  }

  @Test
  void what_was_long_ago_is_forgotten() {
    measure(GenerationPace.SAMPLES, 2000, 5);
    measure(GenerationPace.SAMPLES, 300, 40);
    assertThat(pace.maxTokens(null, 1800 * MS)).isEqualTo(60);
  }

  @Test
  void a_text_in_one_piece_says_nothing_about_pace() {
    for (int i = 0; i < 100; i++) {
      pace.firstToken(100 * MS);
      pace.wrote(50, 0);
      pace.wrote(1, 10 * MS);
    }
    assertThat(pace.maxTokens(500, 1800 * MS)).isEqualTo(500);
  }

  @Test
  void a_last_token_journey_ends_whole_once_the_pace_is_known() throws Exception {
    BudgetDraft draft = toTheLastToken();
    Route route = route(draft);

    Answer first = trial.ask(route, null, false);
    assertThat(first.truncated()).as("500 tokens do not fit").isTrue();
    for (int i = 1; i < GenerationPace.LEAST_SAMPLES; i++) {
      trial.ask(route, null, false);
    }
    Answer known = trial.ask(route, null, false);

    assertThat(limits).startsWith(500, 500).endsWith(56);
    assertThat(known.truncated()).isFalse();
    assertThat(known.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(known.remainingNanos()).isPositive();
  }

  @Test
  void the_pace_is_known_beyond_a_change_of_the_plan() throws Exception {
    for (int i = 0; i < GenerationPace.LEAST_SAMPLES; i++) {
      trial.ask(route(toTheLastToken()), null, false);
    }
    trial.ask(route(toTheLastToken()), null, false);
    assertThat(limits).startsWith(500).endsWith(56);
  }

  @Test
  void to_the_first_token_only_a_caller_who_waits_for_the_end_gets_a_shorter_answer()
      throws Exception {
    BudgetDraft draft = toTheLastToken().firstToken();
    Route route = route(draft);
    for (int i = 0; i < GenerationPace.LEAST_SAMPLES; i++) {
      trial.ask(route, null, false);
    }
    trial.ask(route, null, false);
    assertThat(limits).containsOnly(500);

    trial.ask(route, 1000 * MS, false);
    assertThat(limits.getLast()).isLessThan(40);
    trial.ask(route, 1000 * MS, true);
    assertThat(limits.getLast()).as("it reads on after the deadline").isEqualTo(500);
  }

  @Test
  void an_answer_at_the_models_own_limit_is_truncated_and_ends_with_a_sentence() throws Exception {
    Generator wordy =
        (call, prompt, sink) -> {
          sink.accept(
              "The first sentence alone says enough for an answer, and it does so at great length. ");
          sink.accept("The second one ends in the");
          return new Completion("length", 10, 25);
        };
    Answer answer = trial.ask(PromptRoutes.routes().port("generate", wordy));
    assertThat(answer.truncated()).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.content())
        .isEqualTo(
            "The first sentence alone says enough for an answer, and it does so at great length.");
  }

  private static BudgetDraft toTheLastToken() {
    return BudgetDraft.of("2s")
        .stages(search().cap("500ms"), generate().floor("500ms"))
        .lastToken("200ms");
  }

  private Route route(BudgetDraft draft) {
    return Routes.of(draft)
        .port("search", trial.finds(100, "a"))
        .form("generate", Routes.maxTokens(Routes.form("llm", writer()), 500))
        .route();
  }

  /** Starts after 300 ms, then a token (four characters) every 25 ms up to the limit. */
  private Generator writer() {
    return (call, prompt, sink) -> {
      Integer limit = prompt.maxTokens();
      limits.add(limit);
      trial.machinery.takes(300 * MS);
      for (int token = 0; token < (limit == null ? 500 : limit); token++) {
        trial.machinery.takes(token == 0 ? 0 : EACH_MS * MS);
        sink.accept(token % 10 == 9 ? "it. " : "and ");
      }
      return new Completion("stop", null, null);
    };
  }

  private void measure(int samples, long firstTokenMs, int tokensPerSecond) {
    for (int i = 0; i < samples; i++) {
      pace.firstToken(firstTokenMs * MS);
      pace.wrote(101, 100_000 * MS / tokensPerSecond);
    }
  }
}
