package dev.ragjourney.pipeline;

import static dev.ragjourney.budget.StageDraft.generate;
import static dev.ragjourney.budget.StageDraft.search;
import static dev.ragjourney.budget.StageDraft.stage;
import static dev.ragjourney.pipeline.Trial.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.BudgetDraft;
import dev.ragjourney.budget.StageDraft;
import dev.ragjourney.budget.StageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Services of the user's own, before and after the model, in made time. */
@Timeout(120)
class ToolStageTest {
  private final Trial trial = new Trial();
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private static StageDraft tool(String name) {
    return stage(name, StageType.TOOL).cap("500ms");
  }

  private Tool says(long ms, String text) {
    return (call, input) -> {
      seen.add(input.question() + " | " + input.passages().size() + " | " + input.answer());
      trial.machinery.takes(ms * MS);
      return text;
    };
  }

  private Routes before(StageDraft tool, Tool port) {
    return Routes.of(BudgetDraft.of("3s").stages(search().cap("1s"), tool, generate().floor("1s")))
        .port("search", trial.finds(100, "a", "b"))
        .port("weather", port)
        .port(
            "generate",
            (Generator)
                (call, prompt, sink) -> {
                  prompt.passages().forEach(passage -> seen.add(passage.text()));
                  return trial.writes(100, "Well.").generate(call, prompt, sink);
                });
  }

  private Routes after(StageDraft tool, Tool port) {
    return Routes.of(
            BudgetDraft.of("3s")
                .lastToken("200ms")
                .stages(search().cap("1s"), generate().floor("1s"), tool))
        .port("search", trial.finds(100, "a", "b"))
        .port("generate", trial.writes(200, 100, "It ", "rains."))
        .port("format", port);
  }

  @Test
  void what_a_tool_says_joins_the_context_that_the_model_gets() throws Exception {
    Answer answer = trial.ask(before(tool("weather"), says(200, "rain")));

    assertThat(seen).containsExactly("why? | 2 | null", "rain", "text of a", "text of b");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 200 + 100) * MS);
  }

  @Test
  void an_optional_tool_that_is_late_is_left_out() throws Exception {
    Answer answer = trial.ask(before(tool("weather").optional(), says(60_000, "rain")));

    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("weather", "timeout"));
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.firstTokenNanos()).isEqualTo((100 + 500 + 100) * MS);
  }

  @Test
  void a_required_tool_that_fails_ends_the_journey_and_is_named() throws Exception {
    Tool failing = (call, input) -> trial.fails(50, BackendException.Kind.SERVER_ERROR);

    Answer answer = trial.ask(before(tool("weather"), failing));

    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.STATIC);
    assertThat(answer.problem()).extracting(Answer.Problem::stage).isEqualTo("weather");
  }

  @Test
  void only_a_tool_whose_calls_may_be_made_twice_is_tried_again() throws Exception {
    trial.ask(before(retried(), flaky(true, false)));
    assertThat(trial.told.callsOf("weather")).hasSize(2);

    trial.told.calls.clear();
    trial.ask(before(retried(), flaky(false, false)));
    assertThat(trial.told.callsOf("weather")).hasSize(1);
  }

  @Test
  void every_attempt_of_one_call_has_the_same_key_and_another_question_another() throws Exception {
    trial.ask(before(retried(), flaky(true, true)));
    List<String> first = List.copyOf(seen.subList(0, 2));
    seen.clear();
    trial.ask(before(retried(), flaky(true, true)));

    assertThat(first).allMatch(key -> key.length() == 36).hasSize(2);
    assertThat(first.getFirst()).isEqualTo(first.getLast()).isNotEqualTo(seen.getFirst());
  }

  private static StageDraft retried() {
    return tool("weather").optional().retry("10ms", "10ms", "200ms", "200ms");
  }

  /** Never answers; says by which key it was asked. */
  private Tool flaky(boolean repeatable, boolean keyed) {
    return new Tool() {
      @Override
      public String call(StageCall call, ToolInput input) throws Exception {
        if (keyed) {
          seen.add(call.key());
        }
        return trial.fails(10, BackendException.Kind.UNAVAILABLE);
      }

      @Override
      public boolean repeatable() {
        return repeatable;
      }

      @Override
      public boolean keyed() {
        return keyed;
      }
    };
  }

  @Test
  void a_tool_after_the_model_replaces_the_answer() throws Exception {
    Answer answer = trial.ask(after(tool("format"), says(100, "*It rains.*")));

    assertThat(seen).containsExactly("why? | 2 | It rains.");
    assertThat(answer.content()).isEqualTo("*It rains.*");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.latencyNanos()).isEqualTo((100 + 200 + 100 + 100) * MS);
    assertThat(trial.told.starts)
        .extracting(JourneyListener.StageStart::stage)
        .containsExactly("search", "generate", "format");
  }

  @Test
  void an_answer_that_is_not_formatted_in_time_stands_as_it_is() throws Exception {
    Answer answer = trial.ask(after(tool("format"), says(60_000, "*It rains.*")));

    assertThat(answer.content()).isEqualTo("It rains.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("format", "timeout"));
    assertThat(answer.latencyNanos()).isEqualTo((100 + 300 + 500) * MS);
  }

  @Test
  void the_time_that_a_tool_after_the_model_is_sure_of_is_held_back_from_the_model()
      throws Exception {
    trial.ask(after(tool("format").floor("400ms"), says(10, "*It rains.*")));

    assertThat(trial.told.starts)
        .extracting(start -> start.stage() + " " + start.allowanceNanos() / MS)
        .containsExactly("search 1000", "generate " + (2900 - 200 - 400), "format 500");
  }

  @Test
  void a_streaming_caller_hears_nothing_before_it_is_formatted() throws Exception {
    Answer answer = trial.askStreaming(after(tool("format"), says(100, "*It rains.*")));

    assertThat(trial.heard).containsExactly("*It rains.*");
    assertThat(answer.content()).isEqualTo("*It rains.*");
  }

  @Test
  void a_level_may_leave_the_formatting_out() throws Exception {
    BudgetDraft draft =
        BudgetDraft.of("3s")
            .lastToken("200ms")
            .stages(search().cap("1s"), generate().floor("1s"), tool("format"))
            .level("fast", "1s", List.of("format"));

    Answer answer =
        trial.ask(
            Routes.of(draft)
                .port("search", trial.finds(100, "a"))
                .port("generate", trial.writes(200, "It rains."))
                .port("format", says(1, "*It rains.*")));

    assertThat(answer.content()).isEqualTo("It rains.");
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("format", "level"));
  }
}
