package dev.ragjourney.telemetry;

import dev.ragjourney.budget.StageBudget;
import dev.ragjourney.budget.StageType;
import dev.ragjourney.pipeline.Answer;
import dev.ragjourney.pipeline.JourneyListener;
import dev.ragjourney.pipeline.Route;
import dev.ragjourney.pipeline.StageOutcome;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A SERVER span for each journey and a child for each stage. Without a tracer a caller's own trace
 * context is still handed on to the backends.
 */
public final class Tracing implements JourneyListener {
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("journey.name");
  private static final AttributeKey<Long> BUDGET = AttributeKey.longKey("journey.budget_ms");
  private static final AttributeKey<Long> ALLOWANCE =
      AttributeKey.longKey("journey.step_allowance_ms");
  private static final AttributeKey<Long> REMAINING = AttributeKey.longKey("journey.remaining_ms");
  private static final AttributeKey<Boolean> DEGRADED = AttributeKey.booleanKey("journey.degraded");
  private static final AttributeKey<Boolean> FALLBACK =
      AttributeKey.booleanKey("journey.fallback_query");
  private static final AttributeKey<Long> FIRST_TOKEN = AttributeKey.longKey("journey.ttft_ms");
  private static final AttributeKey<Boolean> OVER_BUDGET =
      AttributeKey.booleanKey("journey.over_budget");
  private static final AttributeKey<Long> LEVEL = AttributeKey.longKey("journey.level");
  private static final AttributeKey<String> LEVEL_NAME =
      AttributeKey.stringKey("journey.level_name");
  private static final AttributeKey<String> STAGE = AttributeKey.stringKey("ragjourney.stage");
  private static final AttributeKey<String> VARIANT = AttributeKey.stringKey("ragjourney.variant");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("ragjourney.outcome");
  private static final AttributeKey<String> CUT = AttributeKey.stringKey("ragjourney.cut");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("gen_ai.operation.name");
  private static final AttributeKey<Long> TOP_K = AttributeKey.longKey("gen_ai.request.top_k");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

  private final @Nullable Tracer tracer;
  private final InstantSource clock;
  private final Map<StageKey, StageStart> running = new ConcurrentHashMap<>();

  private record StageKey(String traceparent, String stage) {}

  /**
   * @param tracer null to trace nothing
   */
  public Tracing(@Nullable Tracer tracer, InstantSource clock) {
    this.tracer = tracer;
    this.clock = clock;
  }

  /**
   * @param traceparent the caller's; null where it sent none
   */
  public JourneyTrace start(Route route, @Nullable String traceparent) {
    Tracer tracing = tracer;
    if (tracing == null) {
      return new HandedOn(TraceContext.parse(traceparent));
    }
    Span span =
        tracing
            .spanBuilder(route.journey())
            .setSpanKind(SpanKind.SERVER)
            .setParent(TraceContext.parent(traceparent))
            .setAttribute(NAME, route.journey())
            .setAttribute(BUDGET, route.budget().total().toMillis())
            .startSpan();
    return new Traced(span);
  }

  @Override
  public void stageStarted(StageStart start) {
    if (tracer != null && start.traceparent() != null) {
      running.put(new StageKey(start.traceparent(), start.stage()), start);
    }
  }

  @Override
  public void stageEnded(StageEnd end) {
    Tracer tracing = tracer;
    if (tracing == null || end.traceparent() == null) {
      return;
    }
    StageStart start = running.remove(new StageKey(end.traceparent(), end.stage()));
    Instant now = clock.instant();
    Span span =
        tracing
            .spanBuilder(end.stage())
            .setParent(TraceContext.parent(end.traceparent()))
            .setStartTimestamp(now.minusNanos(end.elapsedNanos()))
            .setAttribute(STAGE, end.stage())
            .setAttribute(VARIANT, end.form().variant())
            .setAttribute(OUTCOME, end.outcome().label())
            .setAttribute(CUT, end.cut().label())
            .setAttribute(LEVEL, (long) end.level())
            .setAttribute(FALLBACK, end.resultOutcome() == StageOutcome.DEGRADED)
            .setAttribute(OPERATION, operation(end.route(), end.stage()))
            .startSpan();
    if (end.form().topK() > 0) {
      span.setAttribute(TOP_K, (long) end.form().topK());
    }
    if (start != null) {
      span.setAttribute(ALLOWANCE, start.allowanceNanos() / 1_000_000);
      span.setAttribute(REMAINING, start.remainingNanos() / 1_000_000);
    }
    if (end.outcome() == StageOutcome.TIMEOUT || end.outcome() == StageOutcome.ERROR) {
      span.setAttribute(ERROR, end.outcome().label());
      span.setStatus(StatusCode.ERROR);
    }
    span.end(now);
  }

  /** GenAI's names of operations; a rerank has none of its own, so its plain name is used. */
  private static String operation(Route route, String stage) {
    for (StageBudget budget : route.budget().stages()) {
      if (budget.name().equals(stage)) {
        return operation(budget.type());
      }
    }
    return "";
  }

  private static String operation(StageType type) {
    return switch (type) {
      case REWRITE, GENERATE -> "chat";
      case EMBED -> "embeddings";
      case SEARCH -> "retrieval";
      case RERANK -> "rerank";
      case TOOL -> "execute_tool";
    };
  }

  /** Nothing is traced here; the caller's context goes on. */
  private record HandedOn(SpanContext context) implements JourneyTrace {
    @Override
    public @Nullable String traceparent() {
      return context.isValid() ? TraceContext.format(context) : null;
    }

    @Override
    public @Nullable String traceId() {
      return context.isValid() ? context.getTraceId() : null;
    }

    @Override
    public void end(Answer answer) {}

    @Override
    public void abandon() {}
  }

  private record Traced(Span span) implements JourneyTrace {
    @Override
    public String traceparent() {
      return TraceContext.format(span.getSpanContext());
    }

    @Override
    public String traceId() {
      return span.getSpanContext().getTraceId();
    }

    @Override
    public void end(Answer answer) {
      span.setAttribute(DEGRADED, answer.degraded());
      span.setAttribute(OVER_BUDGET, answer.overBudget());
      span.setAttribute(LEVEL, (long) answer.level());
      span.setAttribute(LEVEL_NAME, answer.levelName());
      span.setAttribute(OUTCOME, answer.outcome().label());
      span.setAttribute(REMAINING, answer.remainingNanos() / 1_000_000);
      Long first = answer.firstTokenNanos();
      if (first != null) {
        span.setAttribute(FIRST_TOKEN, first / 1_000_000);
      }
      if (answer.outcome() == Answer.Outcome.ERROR) {
        span.setAttribute(ERROR, "journey_failed");
        span.setStatus(StatusCode.ERROR);
      }
      span.end();
    }

    @Override
    public void abandon() {
      span.setAttribute(ERROR, "caller_left");
      span.end();
    }
  }
}
