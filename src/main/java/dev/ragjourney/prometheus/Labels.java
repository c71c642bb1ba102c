package dev.ragjourney.prometheus;

import dev.ragjourney.plan.MetricNames;

/** Labels of the series that come back. */
final class Labels {
  static final String NAMESPACE = MetricNames.NAMESPACE;
  static final String JOURNEY = MetricNames.JOURNEY;
  static final String STAGE = MetricNames.STAGE;
  static final String OUTCOME = MetricNames.OUTCOME;
  static final String CUT = MetricNames.CUT;
  static final String LEVEL = MetricNames.LEVEL;
  static final String REASON = MetricNames.REASON;
  static final String LE = "le";

  /** The process that a series comes from. */
  static final String PROCESS = "rag_process";

  /** What the series is, a {@link Kind}. */
  static final String KIND = "rag_kind";

  private Labels() {}
}
