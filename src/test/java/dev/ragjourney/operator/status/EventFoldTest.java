package dev.ragjourney.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ragjourney.crd.status.AdviceStatus;
import dev.ragjourney.crd.status.CapChangeStatus;
import dev.ragjourney.crd.status.Condition;
import dev.ragjourney.crd.status.PlanStatus;
import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.crd.status.RebalanceStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventFoldTest {
  @ParameterizedTest(name = "{0} from {1} to {2} tells {3}")
  @CsvSource({
    "Ready, False/PodsNotReady, True/Serving, Ready",
    "Ready, True/Serving, False/InvalidSpec, InvalidSpec",
    "Ready, , False/NameTaken, NameTaken",
    "Ready, True/Serving, False/SecretMissing, SecretMissing",
    "Ready, True/Serving, False/PodsNotReady, ",
    "Ready, True/Serving, True/Serving, ",
    "DegradedRateHigh, False/BelowThreshold, True/AboveThreshold, DegradedRateHigh",
    "DegradedRateHigh, Unknown/NoTraffic, True/AboveThreshold, DegradedRateHigh",
    "DegradedRateHigh, True/AboveThreshold, False/BelowThreshold, DegradedRateNormal",
    "DegradedRateHigh, True/AboveThreshold, Unknown/NoTraffic, ",
    "DegradedRateHigh, , False/BelowThreshold, ",
    "StageStarved, False/StagesRun, True/NearlyAlwaysSkipped, StageStarved",
    "GenerateStartsLate, False/HalfLeft, True/LessThanHalfLeft, GenerateStartsLate",
    "GenerateStartsLate, True/LessThanHalfLeft, False/HalfLeft, GenerateStartsInTime",
    "MetricsAvailable, True/Measured, False/NoTraffic, NoTraffic",
    "MetricsAvailable, True/Measured, False/TooFewSamples, TooFewSamples",
    "MetricsAvailable, True/Measured, False/Stale, Stale",
    "MetricsAvailable, True/Measured, False/PartialStages, PartialStages",
    "MetricsAvailable, True/Measured, False/NotFinite, NotFinite",
    "MetricsAvailable, True/Measured, False/CounterReset, CounterReset",
    "MetricsAvailable, True/Measured, False/SeveralSeries, SeveralSeries",
    "MetricsAvailable, True/Measured, False/LayoutChanged, LayoutChanged",
    "MetricsAvailable, True/Measured, False/QueryFailed, QueryFailed",
    "MetricsAvailable, True/Measured, False/ErrorsDominate, ErrorsDominate",
    "MetricsAvailable, , False/NotConfigured, NotConfigured",
    "MetricsAvailable, Unknown/NoRoundYet, False/NoTraffic, ",
    "MetricsAvailable, Unknown/NoRoundYet, False/QueryFailed, QueryFailed",
    "MetricsAvailable, False/Stale, False/QueryFailed, QueryFailed",
    "MetricsAvailable, False/Stale, False/Stale, ",
    "MetricsAvailable, False/Stale, True/Measured, MetricsAvailable",
    "MetricsAvailable, Unknown/NoRoundYet, True/Measured, ",
    "Rebalanced, True/InBalance, False/Paused, RebalancePaused",
    "Rebalanced, False/Paused, True/InBalance, RebalanceResumed",
    "Rebalanced, False/Paused, False/Paused, ",
    "WithinBudget, True/MissRatioLow, False/MissRatioHigh, MissRatioHigh",
    "WithinBudget, False/MissRatioHigh, True/MissRatioLow, WithinBudget",
    "PlanDelivered, False/Waiting, True/Delivered, PlanDelivered",
    "PlanDelivered, True/Delivered, True/Delivered, ",
  })
  void a_change_of_a_condition_is_told_once(
      String type, @Nullable String before, String after, @Nullable String expected) {
    List<JourneyEvent> events =
        EventFold.events(
            before == null ? null : status(type, before, null), status(type, after, null));

    assertThat(events)
        .extracting(JourneyEvent::reason)
        .isEqualTo(expected == null ? List.of() : List.of(expected));
  }

  @Test
  void a_move_is_told_with_every_change_and_why() {
    RebalanceStatus move =
        new RebalanceStatus(
            "2030-01-02T03:04:05Z",
            "Rebalanced",
            List.of(
                new CapChangeStatus("search", "600ms", "720ms", "p95 600 ms + 20 %", null, null)),
            null,
            null,
            null);
    RagJourneyStatus before = status("Ready", "True/Serving", null);
    RagJourneyStatus after = status("Ready", "True/Serving", move);

    assertThat(EventFold.events(before, after))
        .containsExactly(
            new JourneyEvent(false, "CapsRebalanced", "search 600ms → 720ms (p95 600 ms + 20 %)"));
    assertThat(EventFold.events(after, after)).isEmpty();
  }

  @Test
  void advice_is_told_when_it_comes_when_it_is_about_something_else_and_when_it_goes() {
    RagJourneyStatus none = status("Ready", "True/Serving", null);
    RagJourneyStatus skip = advised(new AdviceStatus("rerank", null, "skip rerank: 9 %"));
    RagJourneyStatus newer = advised(new AdviceStatus("rerank", null, "skip rerank: 20 %"));
    RagJourneyStatus level = advised(new AdviceStatus(null, "fast", "start at level fast"));

    assertThat(EventFold.events(none, skip))
        .containsExactly(new JourneyEvent(true, "LadderAdvice", "skip rerank: 9 %"));
    assertThat(EventFold.events(skip, newer)).isEmpty();
    assertThat(EventFold.events(skip, level))
        .containsExactly(new JourneyEvent(true, "LadderAdvice", "start at level fast"));
    assertThat(EventFold.events(level, none))
        .containsExactly(
            new JourneyEvent(
                false, "LadderAdviceGone", "the advice about level fast does not hold any more"));
  }

  private static RagJourneyStatus advised(AdviceStatus advice) {
    return status(
        "Ready", "True/Serving", new RebalanceStatus(null, null, null, null, null, advice));
  }

  private static RagJourneyStatus status(
      String type, String value, @Nullable RebalanceStatus rebalance) {
    String[] parts = value.split("/");
    return new RagJourneyStatus(
        1L,
        List.of(new Condition(type, parts[0], parts[1], "message", "2030-01-02T03:04:05Z", 1L)),
        null,
        new PlanStatus(1L, 2, 2, "2/2"),
        null,
        null,
        null,
        rebalance,
        null);
  }
}
