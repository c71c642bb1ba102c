package dev.ragjourney.server;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.CallCancelledException;
import dev.ragjourney.pipeline.Cancellation;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.TokenSink;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Journeys without stages: each token, and the end, waits for a permit where there is a gate. */
final class ScriptedJourneys implements Journeys {
  final BlockingQueue<Question> asked = new LinkedBlockingQueue<>();
  final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
  final Answer.Outcome outcome;
  final @Nullable Semaphore gate;

  ScriptedJourneys(Answer.Outcome outcome, @Nullable Semaphore gate) {
    this.outcome = outcome;
    this.gate = gate;
  }

  @Override
  public Answer run(Route route, Question question, TokenSink sink, Cancellation caller)
      throws CallCancelledException {
    asked.add(question);
    try {
      for (String token : FakeBackends.TOKENS) {
        pass();
        if (question.streaming() && outcome != Answer.Outcome.ERROR) {
          sink.accept(token);
        }
      }
      pass();
    } catch (CallCancelledException e) {
      ended.add("cancelled");
      throw e;
    }
    ended.add("answered");
    return answer(route, question);
  }

  private void pass() {
    if (gate != null) {
      gate.acquireUninterruptibly();
    }
  }

  private Answer answer(Route route, Question question) {
    boolean failed = outcome == Answer.Outcome.ERROR;
    return new Answer(
        failed ? "" : String.join("", FakeBackends.TOKENS),
        outcome,
        outcome == Answer.Outcome.FULL ? 0 : 1,
        route.budget().levels().get(outcome == Answer.Outcome.FULL ? 0 : 1).name(),
        outcome == Answer.Outcome.FULL
            ? List.of()
            : List.of(new Answer.Skipped("rerank", "timeout")),
        List.of(),
        FakeBackends.PASSAGES,
        12_345_678L,
        failed ? null : 7_000_000L,
        2_900_000_000L,
        false,
        false,
        false,
        outcome == Answer.Outcome.FULL ? null : route.hints().get(1),
        failed
            ? new Answer.Problem("search", "search gave nothing", 600_000_000L, 100_000_000L)
            : null,
        failed ? null : new Completion("stop", 12, 3));
  }
}
