package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.budget.StageType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JourneyOnRealThreadsTest {
  private final Machinery machinery = Machinery.real();
  private final JourneyRunner runner = new JourneyRunner(machinery, new JourneyListener() {});

  private static final PassageSearch ONE_PASSAGE =
      (call, query) -> PassagesFound.whole(List.of(new Passage("a#1", "A", "text", 1)));
  private static final Generator HELLO =
      (call, prompt, sink) -> {
        sink.accept("Hello ");
        sink.accept("world.");
        return new Completion("stop", null, null);
      };

  @AfterEach
  void stop() {
    machinery.close();
  }

  @Test
  void a_journey_on_which_all_is_well_is_full() throws Exception {
    Answer answer =
        ask(
            Routes.of("2s")
                .stage("search", StageType.SEARCH, "500ms", ONE_PASSAGE)
                .generate("500ms", HELLO));

    assertThat(answer.content()).isEqualTo("Hello world.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.FULL);
    assertThat(answer.sources()).extracting(Passage::id).containsExactly("a#1");
  }

  @Test
  void an_optional_stage_that_hangs_is_cut_at_its_cap_and_skipped() throws Exception {
    Answer answer =
        ask(
            Routes.of("2s")
                .optional("rewrite", StageType.REWRITE, "50ms", hanging())
                .stage("search", StageType.SEARCH, "500ms", ONE_PASSAGE)
                .generate("500ms", HELLO));

    assertThat(answer.content()).isEqualTo("Hello world.");
    assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DEGRADED);
    assertThat(answer.skipped()).containsExactly(new Answer.Skipped("rewrite", "timeout"));
  }

  private static Rewriter hanging() {
    return (call, question, instructions) -> {
      Thread.sleep(60_000);
      return "";
    };
  }

  private Answer ask(Routes routes) throws CallCancelledException {
    Question question = new Question("why?", machinery.time().nanos(), null, false, null, null);
    return runner.run(routes.route(), question, content -> {}, Cancellation.NONE);
  }
}
