package dev.ragjourney.operator;

import dev.ragjourney.rebalance.JourneyId;
import org.slf4j.MDC;

/**
 * What every line that is logged within carries: {@code namespace} and {@code journey}, and {@code
 * revision} of its plan once that is known. The same keys as in the pods' logs.
 */
final class LogContext implements AutoCloseable {
  private static final String NAMESPACE = "namespace";
  private static final String JOURNEY = "journey";
  private static final String REVISION = "revision";

  private LogContext() {}

  static LogContext of(JourneyId id) {
    MDC.put(NAMESPACE, id.namespace());
    MDC.put(JOURNEY, id.name());
    return new LogContext();
  }

  static LogContext of(JourneyId id, long revision) {
    LogContext context = of(id);
    context.revision(revision);
    return context;
  }

  void revision(long revision) {
    MDC.put(REVISION, Long.toString(revision));
  }

  @Override
  public void close() {
    MDC.remove(NAMESPACE);
    MDC.remove(JOURNEY);
    MDC.remove(REVISION);
  }
}
