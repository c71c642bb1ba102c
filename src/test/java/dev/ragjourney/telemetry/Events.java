package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Completion;
import dev.ragjourney.pipeline.Cut;
import dev.ragjourney.pipeline.JourneyListener.BackendCall;
import dev.ragjourney.pipeline.JourneyListener.StageEnd;
import dev.ragjourney.pipeline.JourneyListener.StageStart;
import dev.ragjourney.pipeline.JourneyListener.TokensUsed;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.StageCall;
import dev.ragjourney.pipeline.StageForm;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.pipeline.Tool;
import dev.ragjourney.plan.Plan;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pipeline tells its listeners, for tests. */
final class Events {
  static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private Events() {}

  static Route route(Plan plan) {
    return new Route(
        plan.namespace(),
        plan.journey(),
        plan.revision(),
        plan.budget(),
        List.of(),
        Map.of(),
        plan.staticMessage(),
        Collections.nCopies(plan.levels().size(), plan.degradedHint()),
        false,
        plan.policy(),
        null);
  }

  static StageForm form(String variant) {
    Tool port = (call, input) -> input.question();
    return new StageForm(variant, "embedded", port, 10, null, false, null, null, "", "", null);
  }

  static StageStart started(Plan plan, String stage) {
    return new StageStart(
        route(plan), stage, form("v0"), 0, 500_000_000L, 2_900_000_000L, TRACEPARENT);
  }

  static StageEnd ended(
      Plan plan, String stage, String variant, StageOutcome outcome, Cut cut, long millis) {
    return new StageEnd(
        route(plan),
        stage,
        form(variant),
        0,
        outcome,
        cut,
        millis * 1_000_000,
        outcome,
        null,
        TRACEPARENT);
  }

  static BackendCall called(
      Plan plan, String stage, String backend, StageCall.Role role, StageOutcome outcome) {
    return new BackendCall(route(plan), stage, backend, role, outcome, null, 20_000_000L);
  }

  static TokensUsed tokens(Plan plan, String backend, int input, int output, boolean wasted) {
    return new TokensUsed(
        route(plan), "generate", backend, new Completion("stop", input, output), wasted);
  }

  static Question question(@Nullable Long callerRemainingNanos) {
    return new Question(
        "secret words?",
        List.of(),
        "",
        0,
        callerRemainingNanos,
        false,
        null,
        0,
        null,
        null,
        "trace-1");
  }

  static Answer answer(Answer.Outcome outcome, int level, String levelName) {
    return new Answer(
        "secret answer",
        outcome,
        level,
        levelName,
        outcome == Answer.Outcome.FULL
            ? List.of()
            : List.of(new Answer.Skipped("rerank", "timeout")),
        List.of(),
        List.of(),
        600_000_000L,
        outcome == Answer.Outcome.STATIC ? null : 450_000_000L,
        2_400_000_000L,
        false,
        false,
        false,
        null,
        null,
        null);
  }
}
