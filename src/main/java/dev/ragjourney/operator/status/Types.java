package dev.ragjourney.operator.status;

import java.util.List;

/** The condition types, in the order in which they are listed. */
public final class Types {
  public static final String READY = "Ready";
  public static final String FEASIBLE = "Feasible";
  public static final String PLAN_DELIVERED = "PlanDelivered";
  public static final String METRICS_AVAILABLE = "MetricsAvailable";
  public static final String REBALANCED = "Rebalanced";
  public static final String WITHIN_BUDGET = "WithinBudget";
  public static final String DEGRADED_RATE_HIGH = "DegradedRateHigh";
  public static final String STAGE_STARVED = "StageStarved";
  public static final String GENERATE_STARTS_LATE = "GenerateStartsLate";
  public static final String STAGE_REGRESSED = "StageRegressed";
  public static final String RECONCILING = "Reconciling";
  public static final String STALLED = "Stalled";

  public static final List<String> ALL =
      List.of(
          READY,
          FEASIBLE,
          PLAN_DELIVERED,
          METRICS_AVAILABLE,
          REBALANCED,
          WITHIN_BUDGET,
          DEGRADED_RATE_HIGH,
          STAGE_STARVED,
          GENERATE_STARTS_LATE,
          STAGE_REGRESSED,
          RECONCILING,
          STALLED);

  private Types() {}
}
