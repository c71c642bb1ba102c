package dev.ragjourney.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.Passage;
import dev.ragjourney.pipeline.Question;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer as the API gives it. Every member is always there; what is not known is null. */
final class AnswerJson {
  private static final double NANOS_PER_MILLI = 1e6;

  private AnswerJson() {}

  static ObjectNode of(Question question, Answer answer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("content", answer.content());
    json.put("degraded", answer.degraded());
    json.put("degradationLevel", answer.level());
    json.put("level", answer.levelName());
    stages(json.putArray("skipped"), answer.skipped());
    stages(json.putArray("wouldCut"), answer.wouldCut());
    ArrayNode sources = json.putArray("sources");
    for (Passage passage : answer.sources()) {
      ObjectNode source = sources.addObject().put("id", passage.id()).put("title", passage.title());
      if (Double.isFinite(passage.score())) {
        source.put("score", passage.score());
      } else {
        source.putNull("score");
      }
    }
    json.put("latencyMs", millis(answer.latencyNanos()));
    json.put("firstTokenMs", millis(answer.firstTokenNanos()));
    json.put("remainingMs", millis(answer.remainingNanos()));
    json.put("overBudget", answer.overBudget());
    json.put("truncated", answer.truncated());
    json.put("cached", answer.cached());
    json.put("hint", answer.hint());
    json.put("traceId", question.traceId());
    return json;
  }

  private static void stages(ArrayNode array, List<Answer.Skipped> stages) {
    for (Answer.Skipped stage : stages) {
      array.addObject().put("stage", stage.stage()).put("reason", stage.reason());
    }
  }

  /** Of a journey that failed: which stage, its cap, and what was left. */
  static ObjectNode problem(Question question, Answer answer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    Answer.Problem problem = answer.problem();
    if (problem != null) {
      json.put("stage", problem.stage());
      json.put("capMs", millis(problem.capNanos()));
      json.put("remainingMs", millis(problem.remainingNanos()));
    }
    json.set("answer", of(question, answer));
    return json;
  }

  /** Rounded down to a tenth: a remaining time is never overstated. */
  private static @Nullable Double millis(@Nullable Long nanos) {
    return nanos == null ? null : Math.floor(nanos / NANOS_PER_MILLI * 10) / 10;
  }
}
