package dev.ragjourney.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** W3C's {@code traceparent}: {@code 00-TRACE-SPAN-FLAGS} in lower-case hex. */
final class TraceContext {
  private static final Pattern TRACEPARENT =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  private TraceContext() {}

  /** The context that a header names; invalid where it names none. */
  static SpanContext parse(@Nullable String traceparent) {
    if (traceparent == null) {
      return SpanContext.getInvalid();
    }
    Matcher matcher = TRACEPARENT.matcher(traceparent.strip());
    if (!matcher.matches() || !readable(matcher)) {
      return SpanContext.getInvalid();
    }
    return SpanContext.createFromRemoteParent(
        matcher.group(2),
        matcher.group(3),
        TraceFlags.fromHex(matcher.group(4), 0),
        TraceState.getDefault());
  }

  /** Version ff is forbidden; version 00 has nothing after the flags. */
  private static boolean readable(Matcher matcher) {
    String version = matcher.group(1);
    return !version.equals("ff") && (!version.equals("00") || matcher.group(5) == null);
  }

  static String format(SpanContext context) {
    return "00-%s-%s-%s"
        .formatted(context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex());
  }

  /** A context whose current span is the one the header names. */
  static Context parent(@Nullable String traceparent) {
    return Context.root().with(Span.wrap(parse(traceparent)));
  }
}
