package dev.ragjourney.plan;

/** Metric and label names that the pods emit and the operator queries: the public contract. */
public final class MetricNames {
  public static final String STAGE_DURATION = "rag_stage_duration_seconds";
  public static final String STAGE_LATE = "rag_stage_late_seconds";
  public static final String STAGE_LATE_SAMPLED = "rag_stage_late_sampled_total";
  public static final String STAGE_STARTED = "rag_stage_started_total";
  public static final String STAGE_SKIPPED = "rag_stage_skipped_total";
  public static final String STAGE_WOULD_CUT = "rag_stage_would_cut_total";
  public static final String STAGE_TIMEOUTS = "rag_stage_timeouts_total";
  public static final String STAGE_DEGRADED = "rag_stage_degraded_total";
  public static final String PROBES = "rag_probes_total";
  public static final String HEDGES = "rag_hedges_total";
  public static final String BREAKER_STATE = "rag_breaker_state";
  public static final String JOURNEY_DURATION = "rag_journey_duration_seconds";
  public static final String JOURNEY_TOTAL = "rag_journey_total_seconds";
  public static final String FIRST_TOKEN = "rag_journey_first_token_seconds";
  public static final String REMAINING_AT_GENERATE = "rag_journey_remaining_at_generate_seconds";
  public static final String ANSWERS = "rag_journey_answers_total";
  public static final String FALLBACK_DURATION = "rag_stage_fallback_seconds";
  public static final String BACKEND_CALL = "rag_backend_call_seconds";
  public static final String BACKEND_INFLIGHT = "rag_backend_inflight";
  public static final String BACKEND_LIMIT = "rag_backend_limit";
  public static final String TOKENS = "rag_tokens_total";
  public static final String CACHE_LOOKUPS = "rag_cache_lookups_total";
  public static final String CACHE_KEPT = "rag_cache_kept_total";
  public static final String CACHE_EVICTED = "rag_cache_evicted_total";
  public static final String CACHE_ENTRIES = "rag_cache_entries";
  public static final String STAGE_CAP = "rag_stage_cap_seconds";
  public static final String PLAN_REVISION = "rag_plan_revision";
  public static final String PLAN_RELOADS = "rag_plan_reloads_total";

  public static final String BUDGET_HEADERS_IGNORED = "rag_budget_headers_ignored_total";
  public static final String POD_INFLIGHT = "rag_pod_inflight";
  public static final String POD_LIMIT = "rag_pod_limit";
  public static final String POD_QUEUED = "rag_pod_queued";
  public static final String POD_QUEUE = "rag_pod_queue_seconds";
  public static final String POD_ADMISSIONS = "rag_pod_admissions_total";

  public static final String SERIES_DROPPED = "rag_series_dropped_total";

  public static final String NAMESPACE = "namespace";
  public static final String JOURNEY = "journey";
  public static final String STAGE = "stage";
  public static final String VARIANT = "variant";
  public static final String OUTCOME = "outcome";
  public static final String CUT = "cut";
  public static final String LEVEL = "level";
  public static final String REASON = "reason";
  public static final String DEADLINE = "deadline";
  public static final String BACKEND = "backend";
  public static final String ROLE = "role";
  public static final String PROVIDER = "provider";
  public static final String REGION = "region";
  public static final String OPERATION = "operation";
  public static final String SIZE = "size";
  public static final String KIND = "kind";
  public static final String WASTED = "wasted";
  public static final String RESULT = "result";
  public static final String HEADER = "header";

  private MetricNames() {}
}
