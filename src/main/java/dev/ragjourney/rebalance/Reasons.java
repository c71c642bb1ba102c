package dev.ragjourney.rebalance;

/** Reason codes of readings, verdicts and decisions: they appear in conditions and events. */
public final class Reasons {
  /** No Prometheus is configured. */
  public static final String NOT_CONFIGURED = "NotConfigured";

  /** Prometheus did not answer, or not with data. */
  public static final String QUERY_FAILED = "QueryFailed";

  /** No calls, or no series at all. */
  public static final String NO_TRAFFIC = "NoTraffic";

  /** A stage has fewer calls than a judgement needs. */
  public static final String TOO_FEW_SAMPLES = "TooFewSamples";

  /** The newest figures are too old. */
  public static final String STALE = "Stale";

  /** A stage is missing while others have figures. */
  public static final String PARTIAL_STAGES = "PartialStages";

  /** A figure is NaN or infinite. */
  public static final String NOT_FINITE = "NotFinite";

  /** A count went backwards. */
  public static final String COUNTER_RESET = "CounterReset";

  /** More than a fifth of a stage's calls failed. */
  public static final String ERRORS_DOMINATE = "ErrorsDominate";

  /** Histogram boundaries are not those of the journey's budget. */
  public static final String LAYOUT_CHANGED = "LayoutChanged";

  /** Rebalancing is switched off. */
  public static final String DISABLED = "Disabled";

  /** The last move is too recent. */
  public static final String COOLING_DOWN = "CoolingDown";

  /** Every change would be smaller than the dead band, or there is none. */
  public static final String IN_BALANCE = "InBalance";

  /** Caps moved to what the rule asks for. */
  public static final String REBALANCED = "Rebalanced";

  /** The rule asks for other caps, and the mode only shows them. */
  public static final String RECOMMENDING = "Recommending";

  /** The last move did worse than the caps before it: they are back. */
  public static final String ROLLED_BACK = "RolledBack";

  /** Too few calls since the last move to judge it. */
  public static final String JUDGING_LAST_MOVE = "JudgingLastMove";

  /** The first move of a journey waits for enough questions. */
  public static final String COLD_START = "ColdStart";

  /** As many moves as allowed were made within the last hour. */
  public static final String MAX_MOVES_PER_HOUR = "MaxMovesPerHour";

  /** A person paused rebalancing. */
  public static final String PAUSED = "Paused";

  /** A series is there more than once, so that its calls would count more than once. */
  public static final String SEVERAL_SERIES = "SeveralSeries";

  private Reasons() {}
}
