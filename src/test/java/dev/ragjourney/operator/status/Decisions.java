package dev.ragjourney.operator.status;

import dev.ragjourney.crd.status.RagJourneyStatus;
import dev.ragjourney.operator.Journeys;
import dev.ragjourney.operator.observe.Round;
import dev.ragjourney.rebalance.CapChange;
import dev.ragjourney.rebalance.Forecast;
import dev.ragjourney.rebalance.Forecasts;
import dev.ragjourney.rebalance.Reasons;
import dev.ragjourney.rebalance.RebalanceDecision;
import dev.ragjourney.rebalance.RebalancePolicy;
import dev.ragjourney.rebalance.RoundFigures;
import dev.ragjourney.rebalance.RoundFigures.JourneyFigures;
import dev.ragjourney.rebalance.RoundFigures.StageFigures;
import dev.ragjourney.rebalance.Rungs;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rounds' decisions and their figures, and the status after one. */
final class Decisions {
  private Decisions() {}

  static RagJourneyStatus after(RebalanceDecision decision, @Nullable RagJourneyStatus last) {
    Journeys journey =
        Journeys.minimal().rolledOut().round(new Round(Journeys.NOW, 1, decision, Rungs.NONE));
    if (last != null) {
      journey.lastStatus(last).at(Journeys.NOW.plusSeconds(300));
    }
    return journey.status();
  }

  static RagJourneyStatus shown(RebalanceDecision decision) {
    return Journeys.minimal()
        .applied()
        .round(new Round(Journeys.NOW, 1, decision, Rungs.NONE))
        .status();
  }

  static RoundFigures foreseen(double now, double quality) {
    return foreseen(now, quality, 0.009);
  }

  static RoundFigures foreseen(double now, double quality, double missed) {
    return foreseen(now, quality, missed, Map.of("search", 0.3, "generate", 0.7));
  }

  /**
   * @param costs of each stage
   */
  static RoundFigures foreseen(
      double now, double quality, double missed, Map<String, Double> costs) {
    String costliest = Collections.max(costs.entrySet(), Map.Entry.comparingByValue()).getKey();
    RoundFigures figures = measured(0.05, 0.001);
    Forecast inForce = new Forecast(now, missed);
    return new RoundFigures(
        figures.metricsReason(),
        figures.metricsMessage(),
        figures.stages(),
        figures.journey(),
        new Forecasts(
            inForce,
            0.96,
            costs,
            costliest,
            costliest + " 1.3 × faster: +3.1 points",
            List.of(
                new Forecasts.OfRule(RebalancePolicy.Rule.P95_HEADROOM, inForce, List.of()),
                new Forecasts.OfRule(
                    RebalancePolicy.Rule.MAX_QUALITY,
                    new Forecast(quality, missed),
                    List.of(
                        change(720),
                        new CapChange(
                            "generate",
                            CapChange.Moved.HOLD_BACK,
                            Duration.ofMillis(500),
                            Duration.ofMillis(550),
                            "left to what comes after")))),
            null));
  }

  static RebalanceDecision hold(String reason, RoundFigures figures) {
    return new RebalanceDecision.Hold(reason, "caps stay", figures);
  }

  static RebalanceDecision recommend(int toMillis) {
    return new RebalanceDecision.Recommend(
        Reasons.RECOMMENDING,
        "search 600 ms → " + toMillis + " ms",
        List.of(change(toMillis)),
        measured(0.05, 0.001));
  }

  static RebalanceDecision move(int toMillis) {
    return new RebalanceDecision.Move(
        Reasons.REBALANCED, "search moves", List.of(change(toMillis)), measured(0.05, 0.001));
  }

  static CapChange change(int toMillis) {
    return new CapChange(
        "search", Duration.ofMillis(600), Duration.ofMillis(toMillis), "p95 + 20 %");
  }

  static RoundFigures nothing(String reason) {
    return new RoundFigures(reason, "nothing to judge", List.of(), JourneyFigures.NONE);
  }

  static RoundFigures measured(double degraded, double missed) {
    return new RoundFigures(
        RoundFigures.MEASURED,
        "1200 answers were judged",
        List.of(
            stage("embed", 40, null, null),
            stage("search", 480, null, null),
            stage("rerank", 350, 0.1, null),
            stage("generate", 700, null, null)),
        new JourneyFigures(
            1200,
            Duration.ofMillis(1210),
            1 - missed,
            degraded,
            missed,
            "full",
            Duration.ofMillis(1900)));
  }

  static RoundFigures searching(int p95) {
    RoundFigures figures = measured(0.05, 0.001);
    return new RoundFigures(
        figures.metricsReason(),
        figures.metricsMessage(),
        figures.stages().stream()
            .map(of -> of.stage().equals("search") ? stage("search", p95, null, null) : of)
            .toList(),
        figures.journey());
  }

  static RoundFigures remaining(int millis, long answers) {
    RoundFigures figures = measured(0.05, 0.001);
    JourneyFigures journey = figures.journey();
    return new RoundFigures(
        figures.metricsReason(),
        figures.metricsMessage(),
        Stream.of(
                stage("embed", 40, 0.0, null),
                stage("search", 480, 0.0, null),
                stage("rerank", 350, 0.1, null),
                stage("generate", 700, 0.0, null))
            .toList(),
        new JourneyFigures(
            answers,
            journey.p95(),
            journey.withinBudgetRatio(),
            journey.degradedRatio(),
            journey.missRatio(),
            journey.usualLevel(),
            Duration.ofMillis(millis)));
  }

  static RoundFigures skipped(double ratio, @Nullable String limitedBy) {
    return new RoundFigures(
        RoundFigures.MEASURED,
        "",
        List.of(stage("rerank", 350, ratio, limitedBy)),
        measured(0.05, 0).journey());
  }

  static StageFigures stage(
      String name, int p95, @Nullable Double skipped, @Nullable String limitedBy) {
    return new StageFigures(
        name,
        1204,
        Duration.ofMillis(p95 / 2),
        Duration.ofMillis(p95),
        null,
        null,
        0.01,
        skipped,
        limitedBy);
  }
}
