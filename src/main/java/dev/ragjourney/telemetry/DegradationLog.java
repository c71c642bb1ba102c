package dev.ragjourney.telemetry;

import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.JourneyListener;
import dev.ragjourney.pipeline.Question;
import dev.ragjourney.pipeline.Route;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One structured line for each degraded answer: level, the stage that triggered it, time left, time
 * used, share of the budget. The question and the answer are never in it.
 */
public final class DegradationLog implements JourneyListener {
  private final Logger log;

  public DegradationLog(Logger log) {
    this.log = log;
  }

  @Override
  public void journeyEnded(Route route, Question question, Answer answer) {
    if (!answer.degraded() || !log.isInfoEnabled()) {
      return;
    }
    double budgetMs = route.budget().total().toNanos() / 1e6;
    double totalMs = answer.latencyNanos() / 1e6;
    LoggingEventBuilder event =
        log.atInfo()
            .addKeyValue("event", "degradation")
            .addKeyValue("namespace", route.namespace())
            .addKeyValue("journey", route.journey())
            .addKeyValue("revision", route.revision())
            .addKeyValue("outcome", answer.outcome().label())
            .addKeyValue("level", answer.level())
            .addKeyValue("levelName", answer.levelName())
            .addKeyValue("remainingMs", Math.round(answer.remainingNanos() / 1e6))
            .addKeyValue("totalMs", Math.round(totalMs))
            .addKeyValue("percentConsumed", Math.round(100 * totalMs / budgetMs));
    Answer.Skipped trigger = trigger(answer);
    if (trigger != null) {
      event = event.addKeyValue("stage", trigger.stage()).addKeyValue("reason", trigger.reason());
    }
    if (question.traceId() != null) {
      event = event.addKeyValue("traceId", question.traceId());
    }
    event.log("An answer was degraded");
  }

  /** What failed the journey, else the first stage that did not give its result. */
  private static Answer.@Nullable Skipped trigger(Answer answer) {
    Answer.Problem problem = answer.problem();
    if (problem != null) {
      return new Answer.Skipped(problem.stage(), problem.message());
    }
    return answer.skipped().isEmpty() ? null : answer.skipped().getFirst();
  }
}
