package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The race to the first token, the stream after it, and where reading stops, in made time. */
@Timeout(30)
class JourneyStreamTest {
  private static final String HALF_AN_ANSWER =
      "The first sentence says enough for an answer. The second one says it once again. "
          + "The third sentence is the one that is cut somewhere in";

  private Trial trial = new Trial();

  @Test
  void a_stuck_stream_ends_at_its_idle_limit_with_what_was_written() throws Exception {
    Generator stuck = trial.writes(100, 60_000, HALF_AN_ANSWER, "never");

    Answer answer =
        trial.askStreaming(
            trial.routes(Trial.threeSeconds().stream("2s", "5m")).port("generate", stuck));

    assertThat(answer.content()).isEqualTo(HALF_AN_ANSWER);
    assertThat(trial.heard).containsExactly(HALF_AN_ANSWER);
    assertThat(answer.truncated()).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.latencyNanos()).isEqualTo((350 + 100 + 2000) * MS);
  }

  @Test
  void pieces_without_content_do_not_keep_a_stuck_stream_alive() throws Exception {
    Generator keptAlive =
        (call, prompt, sink) -> {
          trial.machinery.takes(100 * MS);
          sink.accept(HALF_AN_ANSWER);
          while (true) {
            trial.machinery.takes(300 * MS);
            sink.accept("");
          }
        };

    Answer answer =
        trial.askStreaming(
            trial.routes(Trial.threeSeconds().stream("2s", "5m")).port("generate", keptAlive));

    assertThat(answer.truncated()).isTrue();
    assertThat(answer.latencyNanos()).isEqualTo((350 + 100 + 2000) * MS);
  }

  @Test
  void nothing_else_is_tried_once_something_was_heard_however_little() throws Exception {
    Generator breaksOff =
        (call, prompt, sink) -> {
          trial.machinery.takes(100 * MS);
          sink.accept("It is ");
          trial.machinery.takes(50 * MS);
          throw new BackendException(BackendException.Kind.UNAVAILABLE, "reset");
        };
    Routes routes =
        Routes.of(
                BudgetDraft.of("3s")
                    .stages(search().cap("1s"), generate().floor("500ms"))
                    .level("full", "2s", List.of())
                    .level("small", "600ms", List.of())
                    .lastToken("200ms"))
            .port("search", trial.finds(100, "a"))
            .port("generate", breaksOff)
            .from("small", "generate", Routes.form("small-llm", trial.writes(50, "Another text.")));

    Answer answer = trial.askStreaming(routes);

    assertThat(trial.heard).containsExactly("It is ");
    assertThat(answer.content()).isEqualTo("It is ");
    assertThat(answer.truncated()).isTrue();
    assertThat(answer.problem()).isNotNull();
  }

  @Test
  void an_endless_stream_ends_at_its_maximum() throws Exception {
    Generator endless =
        (call, prompt, sink) -> {
          while (true) {
            trial.machinery.takes(400 * MS);
            sink.accept("and on ");
          }
        };

    Answer answer =
        trial.askStreaming(
            trial.routes(Trial.threeSeconds().stream("1s", "10s")).port("generate", endless));

    assertThat(answer.truncated()).isTrue();
    assertThat(answer.latencyNanos()).isEqualTo(10_350 * MS);
    assertThat(answer.remainingNanos()).isEqualTo((3000 - 350 - 400) * MS);
  }

  @Test
  void after_the_first_token_the_deadline_no_longer_holds() throws Exception {
    Answer answer =
        trial.ask(
            trial
                .routes(Trial.threeSeconds())
                .port("generate", trial.writes(500, 9_000, "It ", "is.")));

    assertThat(answer.content()).isEqualTo("It is.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.latencyNanos()).isEqualTo((350 + 9_500) * MS);
  }

  @Test
  void a_deadline_of_a_caller_who_waits_for_the_whole_answer_holds_to_its_end() throws Exception {
    Generator slow = trial.writes(100, 5_000, HALF_AN_ANSWER, " the middle.");

    Answer answer =
        trial.ask(
            trial.routes(Trial.threeSeconds()).port("generate", slow).route(), 1500 * MS, false);

    assertThat(answer.truncated()).isTrue();
    assertThat(answer.content())
        .isEqualTo(
            "The first sentence says enough for an answer. The second one says it once again.");
    // The margin of 200 shrinks by k = 1/2.
    assertThat(answer.latencyNanos()).isEqualTo(1400 * MS);
  }

  @Test
  void blanks_are_no_first_token() throws Exception {
    Answer answer =
        trial.ask(
            trial
                .routes(Trial.threeSeconds())
                .port("generate", trial.writes(100, 200, "", "\n", " ", "So.")));

    assertThat(answer.firstTokenNanos()).isEqualTo((350 + 700) * MS);
    assertThat(answer.content()).isEqualTo("\n So.");
  }

  @Test
  void an_empty_completion_is_an_error_and_not_a_fast_success() throws Exception {
    Generator empty = (call, prompt, sink) -> new Completion("stop", null, null);

    Answer answer = trial.ask(trial.routes(Trial.threeSeconds()).port("generate", empty));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.problem().message()).isEqualTo("generate gave an empty completion");
    assertThat(trial.told.end("generate").outcome()).isEqualTo(StageOutcome.ERROR);
  }

  @Test
  void a_stream_that_breaks_off_keeps_what_was_heard_and_says_why() throws Exception {
    Generator breaking =
        (call, prompt, sink) -> {
          sink.accept("It is ");
          return trial.fails(100, BackendException.Kind.UNAVAILABLE);
        };

    Answer answer =
        trial.askStreaming(trial.routes(Trial.threeSeconds()).port("generate", breaking));

    assertThat(answer.content()).isEqualTo("It is ");
    assertThat(answer.truncated()).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.problem().message()).isEqualTo("the backend said unavailable");
  }

  @Test
  void last_token_stops_reading_at_the_margin_and_cuts_at_a_sentence() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("2s").lastToken("200ms").stages(search().cap("500ms"), generate());

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("generate", trial.writes(100, 60_000, HALF_AN_ANSWER, " the middle.")));

    assertThat(answer.truncated()).isTrue();
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.content())
        .isEqualTo(
            "The first sentence says enough for an answer. The second one says it once again.");
    assertThat(answer.latencyNanos()).isEqualTo(1800 * MS);
  }

  @Test
  void last_token_with_less_than_twenty_tokens_at_the_margin_is_static() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("2s").lastToken("200ms").stages(search().cap("500ms"), generate());

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("generate", trial.writes(100, 60_000, "Because ", "it is.")));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.remainingNanos()).isEqualTo(200 * MS);
  }
}
