package dev.ragjourney.server;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import java.util.List;

/** What a journey gives when no stage came through: the declared message. */
final class StaticAnswers {
  private StaticAnswers() {}

  static Answer of(Route route, Question question) {
    int last = route.budget().levels().size() - 1;
    return new Answer(
        route.staticMessage(),
        Answer.Outcome.STATIC,
        last,
        route.budget().levels().get(last).name(),
        List.of(new Answer.Skipped("generate", "timeout")),
        List.of(),
        List.of(),
        2_950_000_000L,
        null,
        50_000_000L,
        false,
        false,
        false,
        route.hints().get(last),
        null,
        null);
  }
}
