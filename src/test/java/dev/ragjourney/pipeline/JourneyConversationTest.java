package dev.ragjourney.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.support.Questions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JourneyConversationTest {
  private final Trial trial = new Trial();

  @Test
  void the_conversation_reaches_the_rewriter_and_the_model_and_the_shorter_limit_holds()
      throws Exception {
    List<Turn> earlier =
        List.of(
            new Turn(Turn.Speaker.USER, "What is a cap?"),
            new Turn(Turn.Speaker.ASSISTANT, "The most a stage may take."));
    List<Object> seen = new ArrayList<>();
    Rewriter rewriter =
        (call, question, turns, instructions) -> {
          seen.add(turns);
          return "why is there a cap?";
        };
    PassageSearch search =
        (call, query) -> {
          seen.add(query.text());
          return PassagesFound.whole(Trial.passages("a"));
        };
    Generator model =
        (call, prompt, sink) -> {
          seen.add(prompt.question());
          seen.add(prompt.earlier());
          seen.add(prompt.maxTokens());
          sink.accept("Because.");
          return new Completion("stop", null, null);
        };
    StageForm form = new StageForm("v0", "llm", model, 0, null, false, 99, null, "", "", null);
    Route route =
        trial
            .routes(Trial.threeSeconds())
            .port("rewrite", rewriter)
            .port("search", search)
            .form("generate", form)
            .route();

    for (Integer wanted : Arrays.asList(null, 20, 200)) {
      seen.clear();
      trial.ask(route, now -> Questions.within(earlier, wanted, now));

      assertThat(seen)
          .containsExactly(
              earlier,
              "why is there a cap?",
              "why?",
              earlier,
              wanted == null ? (Integer) 99 : (Integer) Math.min(99, wanted));
    }
  }
}
