package dev.ragjourney.operator.desired;

import dev.ragjourney.crd.parsed.Objective;
import dev.ragjourney.plan.MetricNames;
import dev.ragjourney.rebalance.JourneyId;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** The alerts of one journey, with its own thresholds. */
final class AlertRules {
  /** Fewer answers in ten minutes say nothing. */
  private static final int FEWEST = 20;

  private AlertRules() {}

  static List<Map<String, Object>> of(JourneyId id, Objective objective) {
    String journey = "namespace=\"%s\",journey=\"%s\"".formatted(id.namespace(), id.name());
    String answers = "rag_journey_answers_total{" + journey + ",deadline=\"own\"%s}";
    String all = "sum(increase(" + answers.formatted("") + "[10m]))";
    return List.of(
        alert(
            "RagJourneyMissesAnswers",
            share(answers, ",outcome=~\"static|late|error\"", all, objective.missRatio()),
            "critical",
            "%s gives no answer in time to {{ $value | humanizePercentage }} of its questions"
                .formatted(id),
            "The objective is at most %s. status.journey.costliestStage of the RagJourney says which stage takes the time."
                .formatted(percent(objective.missRatio()))),
        alert(
            "RagJourneyDegraded",
            share(answers, ",outcome=\"degraded\"", all, objective.degradedRatio()),
            "warning",
            "%s degrades {{ $value | humanizePercentage }} of its answers".formatted(id),
            "The threshold is %s. The conditions of the RagJourney say which stage is skipped."
                .formatted(percent(objective.degradedRatio()))),
        alert(
            "RagJourneyPlanNotDelivered",
            "max(%1$s{%2$s}) != min(%1$s{%2$s})".formatted(MetricNames.PLAN_REVISION, journey),
            "warning",
            "pods of %s run different plans".formatted(id),
            "Some pods do not get the ConfigMap of the newest plan, or refuse it: %s{result} and their logs say why."
                .formatted(MetricNames.PLAN_RELOADS)));
  }

  private static String share(String answers, String outcomes, String all, double above) {
    return "sum(increase(%s[10m])) / %s > %s and %s > %d"
        .formatted(
            answers.formatted(outcomes),
            all,
            BigDecimal.valueOf(above).stripTrailingZeros().toPlainString(),
            all,
            FEWEST);
  }

  private static Map<String, Object> alert(
      String name, String expression, String severity, String summary, String description) {
    return Map.of(
        "alert",
        name,
        "expr",
        expression,
        "for",
        "10m",
        "labels",
        Map.of("severity", severity),
        "annotations",
        Map.of("summary", summary, "description", description));
  }

  private static String percent(double share) {
    return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + " %";
  }
}
