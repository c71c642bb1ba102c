package dev.ragjourney.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.pipeline.Answer.Outcome;
import dev.ragjourney.pipeline.Cut;
import dev.ragjourney.pipeline.JourneyListener.StageEnd;
import dev.ragjourney.pipeline.JourneyListener.StageStart;
import dev.ragjourney.pipeline.StageOutcome;
import dev.ragjourney.plan.Plan;
import dev.ragjourney.support.SamplePlans;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracingTest {
  private static final Plan PLAN = SamplePlans.smallest();
  private static final String CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exported)).build();
  private final Instant now = Instant.parse("2026-01-01T00:00:01Z");
  private final Tracing tracing = new Tracing(provider.get("test"), () -> now);

  @Test
  void a_journey_is_a_server_span_below_the_callers_and_says_how_it_came_out() {
    JourneyTrace trace = tracing.start(Events.route(PLAN), CALLER);
    trace.end(Events.answer(Outcome.DEGRADED, 1, "fast"));
    SpanData span = exported.getFinishedSpanItems().getFirst();
    assertThat(span.getName()).isEqualTo("faq");
    assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(span.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
    assertThat(trace.traceId()).isEqualTo(span.getTraceId());
    assertThat(trace.traceparent())
        .isEqualTo("00-%s-%s-01".formatted(span.getTraceId(), span.getSpanId()));
    assertThat(attributes(span))
        .containsEntry("journey.name", "faq")
        .containsEntry("journey.budget_ms", 3000L)
        .containsEntry("journey.remaining_ms", 2400L)
        .containsEntry("journey.ttft_ms", 450L)
        .containsEntry("journey.degraded", true)
        .containsEntry("journey.over_budget", false)
        .containsEntry("journey.level", 1L)
        .containsEntry("journey.level_name", "fast");
  }

  @Test
  void a_stage_is_a_child_that_ends_now_and_lasted_as_long_as_the_call() {
    JourneyTrace trace = tracing.start(Events.route(PLAN), null);
    tracing.stageStarted(withParent(trace));
    tracing.stageEnded(endedWithParent(trace, StageOutcome.TIMEOUT, Cut.CAP));
    SpanData span = exported.getFinishedSpanItems().getFirst();
    assertThat(span.getName()).isEqualTo("search");
    assertThat(span.getTraceId()).isEqualTo(trace.traceId());
    assertThat(trace.traceparent()).contains(span.getParentSpanId());
    assertThat(span.getEndEpochNanos() - span.getStartEpochNanos()).isEqualTo(600_000_000L);
    assertThat(attributes(span))
        .containsEntry("journey.step_allowance_ms", 500L)
        .containsEntry("journey.remaining_ms", 2900L)
        .containsEntry("gen_ai.operation.name", "retrieval")
        .containsEntry("ragjourney.cut", "cap")
        .containsEntry("error.type", "timeout");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      textBlock =
          """
          a good header,                     00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, true
          a newer version with more after it, cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x, true
          this version with more after it,   00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x, false
          the forbidden version,             ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, false
          a trace of zeros,                  00-00000000000000000000000000000000-b7ad6b7169203331-01, false
          a span of zeros,                   00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01, false
          upper case,                        00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01, false
          a word,                            trace, false
          """)
  void a_trace_header_is_taken_or_left(String name, String header, boolean taken) {
    assertThat(TraceContext.parse(header).isValid()).isEqualTo(taken);
  }

  @Test
  void without_a_tracer_nothing_is_recorded_and_the_callers_context_goes_on() {
    Tracing off = new Tracing(null, () -> now);
    JourneyTrace trace = off.start(Events.route(PLAN), CALLER);
    off.stageEnded(endedWithParent(trace, StageOutcome.SUCCESS, Cut.NONE));
    assertThat(trace.traceparent()).isEqualTo(CALLER);
    assertThat(off.start(Events.route(PLAN), null).traceparent()).isNull();
    assertThat(exported.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void otlp_starts_only_where_an_endpoint_is_named() {
    assertThat(Otlp.fromEnvironment(Map.of())).isEmpty();
    assertThat(Otlp.fromEnvironment(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", " "))).isEmpty();
    assertThat(
            Otlp.fromEnvironment(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1",
                    "OTEL_SDK_DISABLED", "true")))
        .isEmpty();
  }

  private static StageStart withParent(JourneyTrace trace) {
    return new StageStart(
        Events.route(PLAN),
        "search",
        Events.form("v0"),
        0,
        500_000_000L,
        2_900_000_000L,
        trace.traceparent());
  }

  private static StageEnd endedWithParent(JourneyTrace trace, StageOutcome outcome, Cut cut) {
    return new StageEnd(
        Events.route(PLAN),
        "search",
        Events.form("v0"),
        0,
        outcome,
        cut,
        600_000_000L,
        outcome,
        null,
        trace.traceparent());
  }

  private static Map<String, @Nullable Object> attributes(SpanData span) {
    Map<String, @Nullable Object> attributes = new HashMap<>();
    for (AttributeKey<?> key : List.copyOf(span.getAttributes().asMap().keySet())) {
      attributes.put(key.getKey(), span.getAttributes().get(key));
    }
    return attributes;
  }
}
